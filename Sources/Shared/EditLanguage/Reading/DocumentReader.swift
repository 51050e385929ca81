import CompositionModel

/// Reads a whole document, in whichever language its `schema` names.
struct DocumentReader {
    let context: ReadingContext

    /// - Parameter parameters: values for the edit's `params`, as text; they replace the defaults.
    /// - Returns: nil when nothing can be made of it; what comes after a finding that is an error is not to be used.
    func read(_ root: JSONNode, parameters: [String: String]) -> EditDocument? {
        if let foreign = root[ForeignFormat.timelineKey], root["schema"] == nil {
            let format = ForeignFormat.timeline
            context.report(.foreignFormat, foreign.mark, format.message, suggestion: format.firstEdit(nil))
            return nil
        }
        switch root["schema"]?.value {
        case .string(Composition.schemaName):
            return CompositionReader(context: context).read(root).map(EditDocument.composition)
        case .string(Edit.schemaName), nil: break
        default:
            refuseSchema(root)
            return nil
        }
        var parameters = ParameterSubstitution(of: root, given: parameters, context: context)
        guard let edit = edit(parameters.replaced(root)) else { return nil }
        parameters.checkUses()
        return .edit(edit)
    }

    private func refuseSchema(_ root: JSONNode) {
        guard let node = root["schema"], let schema = context.text(node) else { return }
        let known = [Edit.schemaName, Composition.schemaName]
        let message = "this version does not read \"\(schema.value)\", only \"\(known[0])\" and \"\(known[1])\""
        let suggestion = Spelling.nearest(to: schema.value, in: known)
        context.report(.schema, schema.mark, message, suggestion: suggestion.map(JSONText.quoted))
    }

    private func edit(_ root: JSONNode) -> Edit? {
        guard let fields = context.fields(root, as: .edit) else { return nil }
        let names = Set(context.map(fields["assets"]).map(\.key))
        let format = FormatReader(context: context).read(fields["format"], in: root.mark)
        let edit = Edit(
            format: format,
            assets: AssetReader(context: context).read(fields["assets"], in: format),
            snap: context.word(fields["snap"], "rule to snap"),
            tracks: TrackReader(context: context).read(fields["tracks"]),
            master: MasterReader(context: context).read(fields["master"]),
            outputs: OutputReader(context: context).read(fields["outputs"]),
            mark: root.mark
        )
        if let rate = edit.format.frameRate { context.checkTimes(at: rate.value) }
        AssetReader(context: context).checkUses(of: edit.assets, declared: names)
        return edit
    }
}
