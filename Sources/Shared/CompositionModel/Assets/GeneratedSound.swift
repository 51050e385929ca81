public import Foundation
import Timing

/// A sound that is computed and not decoded: what `{ "generate": … }` of an edit says, with everything resolved. Each
/// sample is a function of its number.
///
/// It travels as a file of ``bytes``, as a ``GeneratedPicture`` does.
public struct GeneratedSound: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case silence
        /// One frequency.
        case tone
        /// From one frequency to another.
        case sweep
        case noise
    }

    public enum Wave: String, Sendable, Hashable, Codable, CaseIterable {
        case sine, square
    }

    /// How a sweep gets from its first frequency to its last one.
    public enum Course: String, Sendable, Hashable, Codable, CaseIterable {
        /// Every octave takes as long.
        case logarithmic
        /// Every hertz takes as long.
        case linear
    }

    /// Power by frequency: the same everywhere, 3 dB less an octave, 6 dB less an octave.
    public enum Color: String, Sendable, Hashable, Codable, CaseIterable {
        case white, pink, brown
    }

    public var kind: Kind
    public var sampleRate: Int
    /// All the same but of noise, whose channels are independent of each other.
    public var channels: Int
    public var sampleCount: Int64
    /// Millionths of dB of full scale: the peak of a tone and a sweep, the root mean square of noise. 0 of silence.
    public var level: Int64
    /// Millionths of a hertz: one of a tone, two of a sweep, none of the others.
    public var frequencies: [Int64]
    /// Of a tone alone.
    public var wave: Wave?
    /// Of a sweep alone.
    public var course: Course?
    /// Of noise alone.
    public var color: Color?
    /// Of noise alone: another one is other noise.
    public var seed: Int64?

    public init(
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

    /// libavcodec has no codec of this name.
    public static let codec = "generated"
    /// The first line of ``bytes``.
    public static let heading = Data("cutfarm generated sound 1\n".utf8)
    /// No file of a generated sound is longer.
    public static let longestFile = 4096
    /// Millionths of dB.
    public static let levels: ClosedRange<Int64> = -120_000_000...0
    public static let seeds: ClosedRange<Int64> = 0...4_294_967_295
    public static let channelCounts = 1...8
    /// Millionths of a hertz; always below half the sample rate too.
    public static let frequencyRange: ClosedRange<Int64> = 1_000_000...96_000_000_000

    /// The file that stands for it.
    public var bytes: Data {
        // Integers and strings always have a canonical form.
        GeneratedSound.heading + ((try? CanonicalJSON.data(self)) ?? Data())
    }

    public var digest: ContentDigest { ContentDigest(of: bytes) }

    /// - Returns: nil for bytes that do not begin with ``heading``.
    /// - Throws: `DecodingError` for bytes that do, and are no sound that can be made.
    public init?(bytes: Data) throws {
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

    /// What probing its file finds.
    public var facts: AssetFacts {
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
