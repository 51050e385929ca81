import CompositionModel

/// How much of an output is copied from its sources, packet by packet, and why the rest is encoded.
package struct CopyingShare: Sendable, Hashable, Codable {
    /// The frames of the output that are copied.
    package var copiedCount: Int64
    /// Why the others are encoded, the reason of most frames first.
    package var encoded: [Rest]
    /// What encoded frames lose of their source beside the picture, each a word as `captions`; nil when nothing.
    package var lost: [Rest]?
    /// The sound of the output; nil where none could be copied, as of sources of PCM.
    package var sound: CopiedSoundShare?

    /// Frames that are encoded for one reason.
    package struct Rest: Sendable, Hashable, Codable {
        /// The number of frames.
        package var frameCount: Int64
        /// The reason as the end of a sentence: ``EncodingReason/words``.
        package var reason: String

        package init(frameCount: Int64, reason: String) {
            self.frameCount = frameCount
            self.reason = reason
        }
    }

    package init(copiedCount: Int64, encoded: [Rest], lost: [Rest]? = nil, sound: CopiedSoundShare? = nil) {
        self.lost = lost
        self.sound = sound
        self.copiedCount = copiedCount
        self.encoded = encoded
    }

    /// The pictures' share as lines of text for people.
    /// - Parameter frameCount: The frames of the output.
    package func lines(of frameCount: Int64) -> [String] {
        let percent = frameCount > 0 ? copiedCount * 100 / frameCount : 0
        return ["copied: \(copiedCount) of \(Count.of(frameCount, "frame")), \(percent) %"]
            + encoded.map { "  \(Count.of($0.frameCount, "frame")) encoded: \($0.reason)" }
            + (lost ?? []).map { "  \(Count.of($0.frameCount, "frame")) without their source's \($0.reason)" }
    }
}

extension RenderPlan {
    /// What is copied; nil where the output asks for no copies.
    package var copying: CopyingShare? {
        encoded.map { shares in
            CopyingShare(
                copiedCount: segments.reduce(0) { $0 + $1.task.copiedCount },
                encoded: shares.map { CopyingShare.Rest(frameCount: $0.frames, reason: $0.reason.words) },
                lost: lost.flatMap { lost in
                    lost.isEmpty
                        ? nil : lost.map { CopyingShare.Rest(frameCount: $0.frames, reason: $0.kind.words) }
                },
                sound: copiedSound
            )
        }
    }
}
