import CompositionModel

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
            let ceiling = SoundQuantity("ceiling", .decibels, -40...0, standard: -1)
            master.ceiling = SoundQuantityReader(context: context).read(fields["ceiling"], ceiling)
        }
        master.loudness = loudness(fields["loudness"])
        return master
    }

    private func loudness(_ node: JSONNode?) -> LoudnessTarget? {
        guard let node, let fields = context.fields(node, as: .masterLoudness) else { return nil }
        let reader = SoundQuantityReader(context: context)
        let target = SoundQuantity("target", .loudness, -60 ... -5, standard: -23)
        let peak = SoundQuantity("truePeak", .truePeak, -40...0, standard: -1)
        return LoudnessTarget(
            integrated: reader.read(fields["target"], target),
            truePeak: reader.read(fields["truePeak"], peak)
        )
    }
}
