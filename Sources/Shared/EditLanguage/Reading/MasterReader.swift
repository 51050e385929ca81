/// Reads `master`: what is done to the sum of all sound.
struct MasterReader {
    let context: ReadingContext

    /// - Returns: nil when there is none, or it is no object.
    func read(_ node: JSONNode?) -> EditMaster? {
        guard let node, let fields = context.fields(node, as: .master) else { return nil }
        var master = EditMaster(mark: node.mark)
        master.volume = VolumeReader(context: context).read(fields["volume"])
        master.processors = ProcessorReader(context: context).read(fields["processors"])
        if let limiter = fields["limiter"], let fields = context.fields(limiter, as: .masterLimiter) {
            let ceiling = ProcessorParameter("ceiling", .decibels, -40...0, -1, "")
            master.ceiling =
                fields["ceiling"].flatMap { SoundQuantityReader(context: context).read($0, ceiling) }
                ?? ceiling.standard
        }
        master.loudness = loudness(fields["loudness"])
        return master
    }

    private func loudness(_ node: JSONNode?) -> LoudnessTarget? {
        guard let node, let fields = context.fields(node, as: .masterLoudness) else { return nil }
        let target = ProcessorParameter("target", .loudness, -60 ... -5, -23, "")
        let peak = ProcessorParameter("truePeak", .truePeak, -40...0, -1, "")
        return LoudnessTarget(
            integrated: fields["target"].flatMap { SoundQuantityReader(context: context).read($0, target) }
                ?? target.standard,
            truePeak: fields["truePeak"].flatMap { SoundQuantityReader(context: context).read($0, peak) }
                ?? peak.standard
        )
    }
}
