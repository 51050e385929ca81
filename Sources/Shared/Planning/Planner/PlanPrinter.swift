package import CompositionModel
import Timing

/// Prints a plan as a table for people; its form for machines is the JSON of ``RenderPlan``.
package enum PlanPrinter {
    /// The plan as lines of text, without a newline at the end.
    /// - Parameter names: The assets' names, by digest; an asset without one is shown by the first 8 digits of its
    ///   digest.
    package static func text(_ plan: RenderPlan, names: [ContentDigest: String] = [:]) -> String {
        let rows =
            plan.segments.isEmpty
            ? [soundHeader] + plan.soundPieces.enumerated().map { row($0.offset, $0.element, plan, names) }
            : [header] + plan.segments.enumerated().map { row($0.offset, $0.element, plan, names) }
        return (summary(plan) + table(rows) + (plan.copying?.lines(of: plan.frameCount) ?? []) + sound(plan, names))
            .joined(separator: "\n")
    }

    private static let header = ["segment", "frames", "timecode", "from", "to", "mode", "cost", "assets"]
    /// The header for an output of sound alone.
    private static let soundHeader = ["piece", "samples", "timecode", "mode", "cost", "assets"]

    private static func summary(_ plan: RenderPlan) -> [String] {
        let output = plan.output
        let picture = "\(output.size.width)x\(output.size.height), \(plan.frameRate) fps, \(plan.frameCount) frames"
        let file = output.file.map { "\($0): " } ?? ""
        guard output.video == nil else {
            let match = output.matchWords.map { [$0] } ?? []
            return ["\(file)\(output.preset), \(picture), \(Count.of(plan.segments.count, "segment"))"] + match
        }
        return ["\(file)\(output.preset), sound alone, \(Count.of(plan.soundPieces.count, "piece"))"]
    }

    private static func row(
        _ index: Int,
        _ piece: PlannedSound,
        _ plan: RenderPlan,
        _ names: [ContentDigest: String]
    ) -> [String] {
        // Like frames, samples are printed on the edit's timeline.
        let first = piece.start + (plan.sound?.firstSample ?? 0)
        let frame = try? plan.frameRate.frame(at: RationalTime(first, Int64(plan.sampleRate)), rounding: .down).value
        return [
            "\(index + 1)",
            "\(first)..<\(first + piece.task.sampleCount)",
            frame.map { "\(timecode($0, plan.frameRate))" } ?? "",
            "render",
            "\(tenths(piece.estimatedCost)) s",
            piece.task.assets.map { name($0, names) }.joined(separator: ", "),
        ]
    }

    private static func row(
        _ index: Int,
        _ segment: PlannedSegment,
        _ plan: RenderPlan,
        _ names: [ContentDigest: String]
    ) -> [String] {
        // The plan's frames count from the start of what is rendered; people look for them on the edit's timeline.
        let first = segment.frames.start + (plan.output.range?.start ?? 0)
        return [
            "\(index + 1)",
            "\(first)..<\(first + segment.frames.count)",
            "\(timecode(first, plan.frameRate))",
            segment.startBorder.rawValue,
            segment.endBorder.rawValue,
            segment.task.mode,
            "\(tenths(segment.estimatedCost)) s",
            segment.task.assets.map { name($0, names) }.joined(separator: ", "),
        ]
    }

    private static func timecode(_ frame: Int64, _ rate: FrameRate) -> Timecode {
        Timecode(frame: frame, at: rate, isDropFrame: Timecode.allowsDropFrame(rate))
    }

    private static func name(_ digest: ContentDigest, _ names: [ContentDigest: String]) -> String {
        names[digest] ?? String(digest.hex.prefix(8))
    }

    /// An estimate in seconds with one decimal.
    private static func tenths(_ seconds: Double) -> String {
        let tenths = Int64(clamping: Int(min(max(seconds * 10, 0), 1e15).rounded()))
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func sound(_ plan: RenderPlan, _ names: [ContentDigest: String]) -> [String] {
        guard let sound = plan.sound else { return ["sound: none"] }
        let channels = Count.of(sound.channels, "channel")
        let what = "\(Count.of(sound.sampleCount, "sample")), \(sound.sampleRate) Hz, \(channels)"
        let assets = sound.assets.map { name($0, names) }.joined(separator: ", ")
        var pieces = plan.soundPieces.count > 1 ? ", \(plan.soundPieces.count) pieces" : ""
        // That short sound is one piece surprises nobody.
        if let reason = plan.undividedSound, reason != .short { pieces += ", one piece because \(reason.words)" }
        if let first = plan.soundRounds?.first { pieces += ", measured before in \(first.count)" }
        return ["sound: \(what)\(pieces)" + (assets.isEmpty ? ", silence" : ", from \(assets)")]
            + (plan.copiedSound?.lines ?? [])
    }

    private static func table(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension PictureTask {
    /// How the segment is made, in a word or two.
    fileprivate var mode: String {
        switch copiedCount {
        case 0: "render"
        case frameCount: "copy"
        case let count: "copy \(count), render \(frameCount - count)"
        }
    }
}
