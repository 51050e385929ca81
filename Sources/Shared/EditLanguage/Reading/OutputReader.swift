import CompositionModel

/// Reads `outputs`: the files that an edit asks for.
struct OutputReader {
    let context: ReadingContext

    /// The outputs in the order of the text; those that could not be read are left out.
    func read(_ node: JSONNode?) -> [EditOutput] {
        let outputs = context.list(node).compactMap { output($0) }
        var lines: [String: Int] = [:]
        for file in outputs.compactMap(\.file) {
            if let line = lines[file.value] {
                context.report(
                    .duplicateFile,
                    file.mark,
                    "the output on line \(line) is already called “\(file.value)”"
                )
            }
            lines[file.value] = file.mark.line
        }
        return outputs
    }

    private func output(_ node: JSONNode) -> EditOutput? {
        guard let fields = context.fields(node, as: .output) else { return nil }
        let (file, range) = (context.text(fields["file"]), context.range(fields["range"], start: .place))
        let dither: Marked<AudioEncoding.Dither>? = context.word(fields["dither"], "dither")
        let match = context.text(fields["match"])
        guard let preset = context.text(fields["preset"]) else { return nil }
        return EditOutput(preset: preset, file: file, range: range, dither: dither, match: match, mark: node.mark)
    }
}
