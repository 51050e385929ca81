import CompositionModel

/// Reads `raw` of an asset: what a file without a header holds.
struct RawFormatReader {
    let context: ReadingContext

    /// `raw` of an asset: what a file without a header holds. Either all of a picture or all of a sound.
    func read(_ node: JSONNode) -> RawFormat? {
        guard let fields = context.fields(node, as: .raw) else { return nil }
        let picture = ["pixelFormat", "size", "frameRate"].filter { fields[$0] != nil }
        let sound = ["sampleFormat", "sampleRate", "channels"].filter { fields[$0] != nil }
        guard picture.isEmpty != sound.isEmpty else {
            let message = "a raw file holds either pictures (pixelFormat, size, frameRate) or sound (sampleFormat, "
            context.report(.contradiction, node.mark, message + "sampleRate, channels)")
            return nil
        }
        return picture.isEmpty ? rawSound(fields).map(RawFormat.sound) : rawPicture(fields).map(RawFormat.picture)
    }

    private func rawPicture(_ fields: EditFields) -> RawPicture? {
        lacks(["pixelFormat": #""yuv420p""#, "size": "[1920, 1080]", "frameRate": #""25""#], fields)
        guard let format: Marked<RawPixelFormat> = context.word(fields["pixelFormat"], "pixel format"),
            let size = FormatReader(context: context).size(fields["size"]),
            let rate = FrameRateReader(context: context).read(fields["frameRate"])
        else { return nil }
        return RawPicture(pixelFormat: format.value, size: size.value, frameRate: rate.value)
    }

    private func rawSound(_ fields: EditFields) -> RawSound? {
        lacks(["sampleFormat": #""s16le""#, "sampleRate": "48000", "channels": "2"], fields)
        guard let format: Marked<RawSampleFormat> = context.word(fields["sampleFormat"], "sample format"),
            let rate = context.integer(fields["sampleRate"], in: Limits.sampleRates, of: "a sample rate"),
            let channels = context.integer(fields["channels"], in: RawSound.channelCounts, of: "the number of channels")
        else { return nil }
        return RawSound(sampleFormat: format.value, sampleRate: rate.value, channels: channels.value)
    }

    private func lacks(_ examples: [String: String], _ fields: EditFields) {
        for (key, example) in examples.sorted(by: { $0.key < $1.key }) where fields[key] == nil {
            let message = "a raw file does not say its \"\(key)\" itself"
            context.report(.missingKey, fields.mark, message, suggestion: "\"\(key)\": \(example)")
        }
    }
}
