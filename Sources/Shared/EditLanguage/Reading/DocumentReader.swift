extension EditReading {
    /// The document in whichever language its `schema` names.
    mutating func document(_ root: JSONNode, parameters: [String: String]) -> EditDocument? {
        if let foreign = root[ForeignFormat.timelineKey], root["schema"] == nil {
            report(.foreignFormat, foreign.mark, ForeignFormat.message(ForeignFormat.timelineName))
            return nil
        }
        switch root["schema"]?.value {
        case .string(Composition.schemaName): return composition(root).map(EditDocument.composition)
        case .string(Edit.schemaName), nil: break
        default:
            refuseSchema(root)
            return nil
        }
        let root = substituted(root, parameters: parameters)
        return edit(root).map(EditDocument.edit)
    }

    private mutating func refuseSchema(_ root: JSONNode) {
        guard let node = root["schema"], let schema = text(node) else { return }
        let known = [Edit.schemaName, Composition.schemaName]
        let message = "this version does not read \"\(schema.value)\", only \"\(known[0])\" and \"\(known[1])\""
        let suggestion = Spelling.nearest(to: schema.value, in: known)
        report(.schema, schema.mark, message, suggestion: suggestion.map(JSONText.quoted))
    }

    private mutating func edit(_ root: JSONNode) -> Edit? {
        guard let fields = fields(root, as: .edit) else { return nil }
        let names = Set(map(fields["assets"]).map(\.key))
        let format = format(fields["format"], in: root.mark)
        let edit = Edit(
            format: format,
            assets: assets(fields["assets"], in: format),
            snap: word(fields["snap"], "rule to snap"),
            tracks: tracks(fields["tracks"]),
            master: master(fields["master"]),
            outputs: outputs(fields["outputs"]),
            mark: root.mark
        )
        if let rate = edit.format.frameRate { checkTimes(at: rate.value) }
        checkUses(of: edit.assets, declared: names)
        checkParameterUses()
        return edit
    }
}
