package import Foundation
import Timing

/// A sound that is computed and not decoded: the `{ "generate": … }` of an edit with everything resolved. Each sample
/// is a function of its number.
///
/// It travels as a file of ``bytes``, like a ``GeneratedPicture``.
package struct GeneratedSound: Sendable, Hashable, Codable {
    /// The sound that is computed.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case silence
        /// One frequency.
        case tone
        /// A tone that goes from one frequency to another.
        case sweep
        case noise
    }

    /// The waveform of a tone.
    package enum Wave: String, Sendable, Hashable, Codable, CaseIterable {
        case sine, square
    }

    /// The course of a sweep from its first frequency to its last.
    package enum Course: String, Sendable, Hashable, Codable, CaseIterable {
        /// Every octave takes the same time.
        case logarithmic
        /// Every hertz takes the same time.
        case linear
    }

    /// The power of noise by frequency: constant, falling by 3 dB per octave, or falling by 6 dB per octave.
    package enum Color: String, Sendable, Hashable, Codable, CaseIterable {
        case white, pink, brown
    }

    package var kind: Kind
    /// The sample rate in Hz.
    package var sampleRate: Int
    /// The number of channels. They are all equal, except for noise, whose channels are independent of each other.
    package var channels: Int
    /// The number of samples per channel.
    package var sampleCount: Int64
    /// The level in millionths of dB of full scale: the peak of a tone or a sweep, the root mean square of noise; 0 for
    /// silence.
    package var level: Int64
    /// The frequencies in millionths of a hertz: one for a tone, two for a sweep, none for other kinds.
    package var frequencies: [Int64]
    /// The waveform of a tone; nil for other kinds.
    package var wave: Wave?
    /// The course of a sweep; nil for other kinds.
    package var course: Course?
    /// The colour of noise; nil for other kinds.
    package var color: Color?
    /// The seed of noise, which decides its samples; nil for other kinds.
    package var seed: Int64?

    package init(
        kind: Kind,
        sampleRate: Int,
        channels: Int,
        sampleCount: Int64,
        level: Int64 = 0,
        frequencies: [Int64] = [],
        wave: Wave? = nil,
        course: Course? = nil,
        color: Color? = nil,
        seed: Int64? = nil
    ) {
        self.kind = kind
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleCount = sampleCount
        self.level = level
        self.frequencies = frequencies
        self.wave = wave
        self.course = course
        self.color = color
        self.seed = seed
    }

    /// The name that stands in place of a codec's; libavcodec has none of this name.
    package static let codec = "generated"
    /// The first line of ``bytes``.
    package static let heading = Data("cutfarm generated sound 1\n".utf8)
    /// The longest file of a generated sound, in bytes.
    package static let longestFile = 4096
    /// The levels allowed, in millionths of dB of full scale.
    package static let levels: ClosedRange<Int64> = -120_000_000...0
    package static let seeds: ClosedRange<Int64> = 0...4_294_967_295
    package static let channelCounts = 1...8
    /// The frequencies allowed, in millionths of a hertz; they must also be below half the sample rate.
    package static let frequencyRange: ClosedRange<Int64> = 1_000_000...96_000_000_000

    /// The contents of the file that stands for the sound: ``heading``, then its canonical JSON.
    package var bytes: Data {
        // Integers and strings always have a canonical form.
        GeneratedSound.heading + ((try? CanonicalJSON.data(self)) ?? Data())
    }

    /// The digest of ``bytes``, by which the asset is named.
    package var digest: ContentDigest { ContentDigest(of: bytes) }

    /// Reads a file of a generated sound.
    /// - Returns: nil when the bytes do not begin with ``heading``.
    /// - Throws: `DecodingError` when they do, and describe no sound that can be made.
    package init?(bytes: Data) throws {
        guard bytes.starts(with: GeneratedSound.heading) else { return nil }
        self = try JSONDecoder().decode(GeneratedSound.self, from: bytes.dropFirst(GeneratedSound.heading.count))
        guard isSound else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it has impossible values"))
        }
    }

    private var isSound: Bool {
        let count = [.tone: 1, .sweep: 2][kind] ?? 0
        let isHeard = frequencies.allSatisfy {
            GeneratedSound.frequencyRange.contains($0) && $0 / 1_000_000 < sampleRate / 2
        }
        return Limits.sampleRates.contains(sampleRate) && GeneratedSound.channelCounts.contains(channels)
            && (1...Limits.longestSeconds * Int64(sampleRate)).contains(sampleCount)
            && GeneratedSound.levels.contains(level) && frequencies.count == count && isHeard
            && Set(frequencies).count == count && (kind == .tone) == (wave != nil)
            && (kind == .sweep) == (course != nil) && (kind == .noise) == (color != nil)
            && (kind == .noise) == (seed != nil) && seed.map(GeneratedSound.seeds.contains) ?? true
    }

    /// The facts that probing its file finds.
    package var facts: AssetFacts {
        let stream = AudioStreamFacts(
            streamIndex: 0,
            codec: GeneratedSound.codec,
            profile: nil,
            sampleRate: sampleRate,
            channels: channels,
            channelLayout: ChannelLayout.editNames[channels] ?? "",
            start: .zero,
            sampleCount: sampleCount,
            language: nil,
            isDefault: true
        )
        return AssetFacts(container: GeneratedSound.codec, byteCount: Int64(bytes.count), video: [], audio: [stream])
    }
}
