package import CompositionModel

extension EditReadResult {
    /// Errors in an edit that has errors already, in what needs no media and nothing of what could not be read: presets
    /// that do not exist. Compiling finds them in an edit that was read whole.
    /// - Parameter preset: the preset that a command names instead of the edit's outputs; nil for those.
    package func draftFindings(preset: String?) -> [Finding] {
        guard document == nil else { return [] }
        if let preset { return EditCompiler.finding(ofPreset: preset).map { [$0] } ?? [] }
        guard case .edit(let edit) = draft else { return [] }
        return edit.outputs.filter { PresetCatalog.preset(named: $0.preset.value) == nil }.map { output in
            OutputResolver.unknownPreset(output.preset.value, at: output.preset.mark)
        }
    }
}

extension EditCompiler {
    /// What is wrong with the name of a preset that a command was given; nil for one that there is.
    package static func finding(ofPreset name: String) -> Finding? {
        PresetCatalog.preset(named: name) == nil ? OutputResolver.unknownPreset(name, at: .nowhere) : nil
    }
}
