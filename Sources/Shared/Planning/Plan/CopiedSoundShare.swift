import CompositionModel
import Timing

/// How much of an output's sound is copied from its sources, packet by packet, and why the rest is encoded.
package struct CopiedSoundShare: Sendable, Hashable, Codable {
    /// The samples per channel of the output that are copied.
    package var copiedCount: Int64
    /// The samples per channel of the output.
    package var sampleCount: Int64
    /// The samples per second.
    package var sampleRate: Int
    /// Why the others are encoded, the reason of most samples first.
    package var encoded: [Rest]

    /// Samples that are encoded for one reason.
    package struct Rest: Sendable, Hashable, Codable {
        /// The number of samples per channel.
        package var sampleCount: Int64
        /// The reason as the end of a sentence: ``SoundEncodingReason/words``.
        package var reason: String

        package init(sampleCount: Int64, reason: String) {
            self.sampleCount = sampleCount
            self.reason = reason
        }
    }

    package init(copiedCount: Int64, sampleCount: Int64, sampleRate: Int, encoded: [Rest]) {
        self.copiedCount = copiedCount
        self.sampleCount = sampleCount
        self.sampleRate = sampleRate
        self.encoded = encoded
    }

    /// The share as lines of text for people; none without samples.
    package var lines: [String] {
        guard sampleCount > 0 else { return [] }
        let percent = copiedCount * 100 / sampleCount
        return ["sound copied: \(share), \(percent) %"]
            + encoded.map { "  \(words($0.sampleCount)) of sound encoded: \($0.reason)" }
    }

    /// What is copied of what, as precisely as it takes to tell them apart.
    private var share: String {
        let texts = roundings.map { ($0(copiedCount), $0(sampleCount)) }
        let text = texts.first { $0.0 != $0.1 || copiedCount == sampleCount } ?? texts[0]
        return "\(text.0) of \(text.1)"
    }

    /// So many samples, as precisely as it takes to tell them from none.
    private func words(_ samples: Int64) -> String {
        roundings.first { $0(samples) != $0(0) }?(samples) ?? seconds(samples)
    }

    /// The ways to write a number of samples, the coarsest first: tenths of a second, milliseconds, samples.
    private var roundings: [(Int64) -> String] {
        [seconds, { TimeWords.seconds(sample: $0, at: sampleRate) }, { Count.of($0, "sample") }]
    }

    /// Seconds with one decimal.
    private func seconds(_ samples: Int64) -> String {
        let tenths = Int64(clamping: Int((Double(samples) / Double(max(sampleRate, 1)) * 10).rounded()))
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

extension RenderPlan {
    /// What is copied of the sound; nil where the output asks for no copies, and of sources whose codecs are not
    /// copied.
    package var copiedSound: CopiedSoundShare? {
        encodedSound.map { shares in
            CopiedSoundShare(
                copiedCount: sampleCount - shares.reduce(0) { $0 + $1.samples },
                sampleCount: sampleCount,
                sampleRate: sampleRate,
                encoded: shares.map { .init(sampleCount: $0.samples, reason: $0.reason.words) }
            )
        }
    }
}
