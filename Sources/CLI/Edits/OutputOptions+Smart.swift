import CompositionModel
import EditLanguage

extension OutputOptions {
    /// What is said of `--smart` where it changes no output; nil where it does, and without it.
    func smartNote(for document: EditDocument?) -> String? {
        guard smart, let document else { return nil }
        let presets = WrittenOutput.list(document, preset: preset).compactMap { PresetCatalog.preset(named: $0.preset) }
        guard let first = presets.first, !presets.contains(where: \.copiesOnRequest) else { return nil }
        guard !first.followsSource else {
            return "--smart changes nothing: the preset \(first.name) copies what it can by itself."
        }
        let others = first.isSoundAlone ? "" : "; h264 does so with --smart, \(PresetCatalog.matchName) by itself"
        return "--smart changes nothing: the preset \(first.name) copies no coded pictures\(others)."
    }
}
