import CompositionModel
import Timing

/// Reads when a layer of a title is there and how its own time runs.
struct LayerTimingReader {
    let context: ReadingContext

    /// - Returns: nil when nothing of it is written.
    func read(_ fields: EditFields) -> EditLayerTiming? {
        var timing = EditLayerTiming(mark: fields.mark)
        timing.begin = context.time(fields["beginTime"], .key)
        timing.duration = context.time(fields["duration"], .length)
        timing.speed = fields["speed"].flatMap { node in
            SpeedReader(context: context).constant(node).map { Marked($0, node.mark) }
        }
        if let speed = timing.speed, speed.value.isNegative {
            let message = "the speed of a layer is above 0; \"autoreverse\" runs it backwards"
            context.report(.numberRange, speed.mark, message)
        }
        timing.runs = runs(fields["repeat"])
        timing.autoreverses = context.flag(fields["autoreverse"])?.value ?? false
        let repeats = fields["repeat"] ?? fields["autoreverse"]
        if let repeats, fields["duration"] == nil {
            context.report(.contradiction, repeats.mark, "only a layer with a \"duration\" runs more than once")
        }
        let written = ["beginTime", "duration", "speed", "repeat", "autoreverse"].contains { fields[$0] != nil }
        return written ? timing : nil
    }

    /// A number of runs, a time, or for ever.
    private func runs(_ node: JSONNode?) -> EditLayerTiming.Repeat? {
        guard let node else { return nil }
        if case .string("forever") = node.value { return .forever }
        if case .string = node.value { return context.time(node, .length).map(EditLayerTiming.Repeat.duration) }
        return context.factor(node, "repeat", upTo: 1_000_000).map { .count($0.value.millionths) }
    }
}
