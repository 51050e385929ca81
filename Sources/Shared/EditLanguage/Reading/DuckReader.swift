/// Reads `duck` of a track: under which other track its sound is lowered, and how.
struct DuckReader {
    let context: ReadingContext

    /// - Returns: nil when there is none, or it does not say under which track.
    func read(_ node: JSONNode?) -> EditDuck? {
        guard let node, let fields = context.fields(node, as: .duck), let under = context.text(fields["under"]) else {
            return nil
        }
        let by = ProcessorParameter("by", .decibels, -80...0, -12, "")
        let threshold = ProcessorParameter("threshold", .decibels, -100...0, -40, "")
        func time(_ name: String, _ standard: Double) -> ProcessorParameter {
            ProcessorParameter(name, .seconds, 0...30, standard, "")
        }
        func value(_ parameter: ProcessorParameter) -> Int64 {
            fields[parameter.name].flatMap { SoundQuantityReader(context: context).read($0, parameter) }
                ?? parameter.standard
        }
        let duck = Duck(
            under: [],
            depth: -value(by),
            attack: value(time("attack", 0.3)),
            hold: value(time("hold", 0.3)),
            release: value(time("release", 0.6)),
            threshold: value(threshold)
        )
        return EditDuck(under: under, duck: duck, mark: node.mark)
    }
}
