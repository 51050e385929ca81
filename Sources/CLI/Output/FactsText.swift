import Foundation
import Shared

/// The facts of one asset for people.
enum FactsText {
    static func text(_ facts: AssetFacts, file: String, digest: ContentDigest) -> String {
        var lines = ["\(file)  \(facts.container), \(facts.byteCount) bytes, \(digest)"]
        lines += facts.video.map(picture)
        lines += facts.audio.map(sound)
        return lines.joined(separator: "\n")
    }

    private static func picture(_ stream: VideoStreamFacts) -> String {
        var parts = [
            "\(stream.codec)\(stream.profile.map { " \($0)" } ?? "")", "\(stream.width)×\(stream.height)",
            stream.pixelFormat,
            stream.isVariableRate ? "variable rate, about \(stream.frameRate) fps" : "\(stream.frameRate) fps",
            "\(stream.frameCount) frames", "\(stream.duration) s", "\(stream.keyframes.count) entry points",
            "\(stream.color.matrix) \(stream.color.isFullRange ? "full" : "limited")",
        ]
        if stream.pixelAspect != RationalTime(whole: 1) { parts.append("pixel aspect \(stream.pixelAspect)") }
        if stream.orientation != .upright {
            parts.append("turned \(stream.orientation.degrees)°\(stream.orientation.isMirrored ? ", mirrored" : "")")
        }
        return line("video", stream.streamIndex, parts, stream.language, stream.isDefault)
    }

    private static func sound(_ stream: AudioStreamFacts) -> String {
        let parts = [
            "\(stream.codec)\(stream.profile.map { " \($0)" } ?? "")", "\(stream.sampleRate) Hz", stream.channelLayout,
            "\(stream.sampleCount) samples", "from \(stream.start) s",
        ]
        return line("audio", stream.streamIndex, parts, stream.language, stream.isDefault)
    }

    private static func line(
        _ kind: String,
        _ index: Int,
        _ parts: [String],
        _ language: String?,
        _ isDefault: Bool
    ) -> String {
        let marks = [language.map { "language \($0)" }, isDefault ? "default" : nil].compactMap(\.self)
        return "  #\(index) \(kind): " + (parts + marks).joined(separator: ", ")
    }
}
