import CompositionModel
import Foundation
import Timing

/// The facts of one asset for people.
enum FactsText {
    /// The facts in lines: one for the file, and one for each stream.
    static func text(_ facts: AssetFacts, file: String, digest: ContentDigest) -> String {
        var lines = ["\(file)  \(facts.container), \(Count.of(facts.byteCount, "byte")), \(digest)"]
        lines += facts.video.enumerated().map { picture($1, "video/\($0)") }
        lines += facts.audio.enumerated().map { sound($1, AudioStreamFacts.trackName($0)) }
        lines += (facts.artwork ?? []).map {
            "  artwork, which no track shows: \($0.codec), \($0.size.width)×\($0.size.height)"
        }
        lines += facts.lut.map { ["  LUT: \($0.words)" + ($0.title.map { ", “\($0)”" } ?? "")] } ?? []
        return lines.joined(separator: "\n")
    }

    /// Frames per second with at most two decimals, for an average rate.
    private static func decimal(_ rate: FrameRate) -> String {
        let hundredths = (200 * Int128(rate.numerator) + Int128(rate.denominator)) / (2 * Int128(rate.denominator))
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        let digits = "\(hundredths % 100 + 100)".dropFirst()
        return "\(hundredths / 100).\(hundredths % 10 == 0 ? digits.dropLast() : digits)"
    }

    /// The line of a video stream.
    /// - Parameter name: the name of the track in an edit.
    private static func picture(_ stream: VideoStreamFacts, _ name: String) -> String {
        var parts = [
            "\(stream.codec)\(stream.profile.map { " \($0)" } ?? "")", "\(stream.width)×\(stream.height)",
            stream.pixelFormat,
            stream.isVariableRate
                ? "variable rate, about \(decimal(stream.frameRate)) fps, \(stream.editRate) in an edit"
                : "\(stream.frameRate) fps",
            Count.of(stream.frameCount, "frame"), "\(stream.duration) s", keyframes(stream),
            color(stream),
        ]
        if let first = stream.firstField { parts.append("interlaced, \(first) field first") }
        if let hidden = stream.hiddenFrameCount, hidden > 0 {
            parts.append("\(Count.of(hidden, "frame")) hidden by the edit list")
        }
        if stream.pixelAspect != RationalTime(whole: 1) { parts.append("pixel aspect \(stream.pixelAspect)") }
        if stream.orientation != .upright {
            parts.append("turned \(stream.orientation.degrees)°\(stream.orientation.isMirrored ? ", mirrored" : "")")
        }
        return line(name, stream.streamIndex, parts, stream.language, stream.isDefault)
    }

    /// The matrix and the range, such as `bt709 limited`, the brightness of HLG and PQ, and whether it is a guess.
    private static func color(_ stream: VideoStreamFacts) -> String {
        let words = "\(stream.color.matrix) \(stream.color.isFullRange ? "full" : "limited")"
        let brightness: String? =
            switch stream.color.transfer {
            case "smpte2084": "PQ"
            case "arib-std-b67": "HLG"
            default: nil
            }
        let guess = "\(stream.color.matrix) is guessed from its height: the file does not say it"
        let notes = [brightness.map { "\($0), mapped to BT.709" }, stream.isColorGuessed == true ? guess : nil]
        let known = notes.compactMap(\.self)
        return known.isEmpty ? words : "\(words) (\(known.joined(separator: "; ")))"
    }

    /// The keyframes, such as `3 keyframes, at most 250 frames apart`. Only shown frames count; the last group extends
    /// to the end.
    private static func keyframes(_ stream: VideoStreamFacts) -> String {
        guard Int64(stream.keyframes.count) < stream.frameCount else { return "each a keyframe" }
        guard stream.keyframes.count > 1 else { return Count.of(stream.keyframes.count, "keyframe") }
        let ends = stream.keyframes.dropFirst() + [stream.frameCount]
        let longest = zip(stream.keyframes, ends).map { $1 - $0 }.max() ?? 0
        return Count.of(stream.keyframes.count, "keyframe") + ", at most \(Count.of(longest, "frame")) apart"
    }

    /// The line of an audio stream, and a second line if the stream is damaged.
    private static func sound(_ stream: AudioStreamFacts, _ name: String) -> String {
        let parts = [
            "\(stream.codec)\(stream.profile.map { " \($0)" } ?? "")", "\(stream.sampleRate) Hz", stream.layoutWords,
            Count.of(stream.sampleCount, "sample"), "from \(stream.start) s",
        ]
        let text = line(name, stream.streamIndex, parts, stream.language, stream.isDefault)
        return text + (stream.flawWords.map { "\n    \($0)" } ?? "")
    }

    private static func line(
        _ name: String,
        _ index: Int,
        _ parts: [String],
        _ language: String?,
        _ isDefault: Bool
    ) -> String {
        let marks = [language.map { "language \($0)" }, isDefault ? "default" : nil].compactMap(\.self)
        return "  #\(index) \(name): " + (parts + marks).joined(separator: ", ")
    }
}
