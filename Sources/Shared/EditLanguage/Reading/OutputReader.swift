extension EditReading {
    mutating func outputs(_ node: JSONNode?) -> [EditOutput] {
        let outputs = list(node).compactMap { output($0) }
        var lines: [String: Int] = [:]
        for file in outputs.compactMap(\.file) {
            if let line = lines[file.value] {
                report(.duplicateFile, file.mark, "the output on line \(line) is already called “\(file.value)”")
            }
            lines[file.value] = file.mark.line
        }
        return outputs
    }

    private mutating func output(_ node: JSONNode) -> EditOutput? {
        guard let fields = fields(node, as: .output) else { return nil }
        let (file, range) = (text(fields["file"]), range(fields["range"], start: .place))
        let dither: Marked<AudioEncoding.Dither>? = word(fields["dither"], "dither")
        guard let preset = text(fields["preset"]) else { return nil }
        return EditOutput(preset: preset, file: file, range: range, dither: dither, mark: node.mark)
    }
}
