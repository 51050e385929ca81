import CompositionModel

/// Reads `format`: size, rates, channels and colour of what an edit makes.
struct FormatReader {
    let context: ReadingContext

    /// The `format` object; what it lacks stays nil.
    func read(_ node: JSONNode?, in document: SourceMark) -> EditFormat {
        guard let node, let fields = context.fields(node, as: .format) else {
            return EditFormat(mark: node?.mark ?? document)
        }
        return EditFormat(
            size: size(fields["size"]),
            frameRate: FrameRateReader(context: context).read(fields["frameRate"]),
            sampleRate: context.integer(fields["sampleRate"], in: Limits.sampleRates, of: "a sample rate"),
            channels: channels(fields["channels"]),
            color: color(fields["color"]),
            background: background(fields["background"]),
            mark: node.mark
        )
    }

    /// `[width, height]` in pixels, both even.
    func size(_ node: JSONNode?) -> Marked<PictureSize>? {
        guard let node else { return nil }
        guard case .array(let sides) = node.value, sides.count == 2 else {
            context.wrongType(node, wanted: "a list of width and height such as [1920, 1080]")
            return nil
        }
        let (width, height) = (side(sides[0], "the width"), side(sides[1], "the height"))
        guard let width, let height else { return nil }
        return Marked(PictureSize(width: width, height: height), node.mark)
    }

    private func side(_ node: JSONNode, _ what: String) -> Int? {
        guard let side = context.integer(node, in: 2...Limits.longestSide, of: what) else { return nil }
        guard side.value % 2 == 0 else {
            let message = "\(what) \(side.value) is odd, but a 4:2:0 picture has even sides"
            context.report(.numberRange, node.mark, message, suggestion: "\(side.value + 1)")
            return nil
        }
        return side.value
    }

    /// A number, or the name of what has so many.
    private func channels(_ node: JSONNode?) -> Marked<Int>? {
        guard let node else { return nil }
        guard case .string(let name) = node.value else {
            return context.integer(node, in: Limits.channels, of: "the number of channels")
        }
        let known = ChannelLayout.editNames.sorted { $0.key < $1.key }
        if let found = known.first(where: { $0.value == name }) { return Marked(found.key, node.mark) }
        context.unknownValue(Marked(name, node.mark), "kind of channels", known: known.map(\.value))
        return nil
    }

    private func color(_ node: JSONNode?) -> Marked<ColorDescription>? {
        guard let name = context.text(node) else { return nil }
        if name.value == "bt709" { return Marked(.bt709, name.mark) }
        let later = ["bt601", "smpte170m", "bt470bg", "bt2020", "bt2020nc", "srgb", "bt709 full", "bt709-full"]
        if later.contains(name.value.lowercased()) {
            context.unsupported(name.mark, "the colour space \"\(name.value)\"")
        } else {
            context.unknownValue(name, "colour space", known: ["bt709"])
        }
        return nil
    }

    private func background(_ node: JSONNode?) -> Marked<String>? {
        guard let color = context.text(node) else { return nil }
        guard ColorText.isColor(color.value) else {
            context.noColor(color, "is no colour; write it as \"#rrggbb\"")
            return nil
        }
        guard color.value.utf8.count == 7 else {
            context.unsupported(color.mark, "a transparent background")
            return nil
        }
        return Marked(color.value.lowercased(), color.mark)
    }
}
