import CompositionModel
import EditLanguage
import Foundation
import Storage

/// An output as the edit, or `--preset`, asks for it.
struct WrittenOutput {
    let preset: String
    /// The container; nil for a preset that does not exist, which the compiler reports, and for one that follows a source
    /// as long as it is not known which.
    var container: Container?
    /// The file that the edit names; nil when it names none.
    let file: String?
    /// Whether the file has pictures; otherwise it has sound alone.
    var hasPicture = true

    init(_ preset: String, file: String?, hasPicture: Bool = true) {
        self.preset = preset
        self.file = file
        let known = PresetCatalog.preset(named: preset)
        self.hasPicture = hasPicture && known?.isSoundAlone != true
        container = known.flatMap { $0.followsSource ? nil : $0.container }
    }

    /// An output that was compiled.
    init(_ settings: OutputSettings) {
        (preset, container, file) = (settings.preset, settings.container, settings.file)
        hasPicture = settings.video != nil
    }

    /// The outputs of a document; a document without any has one, for the standard preset.
    /// - Parameter preset: replaces all outputs of the document.
    static func list(_ document: EditDocument, preset: String? = nil) -> [WrittenOutput] {
        let (outputs, hasPicture) =
            switch document {
            case .edit(let edit):
                (
                    edit.outputs.map { (preset: $0.preset.value, file: $0.file?.value) },
                    !edit.isSoundAlone
                )
            case .composition(let composition):
                (
                    composition.outputs.map { (preset: $0.preset, file: $0.file) },
                    !composition.instructions.isEmpty
                )
            }
        if let preset {
            let file = outputs.count == 1 ? outputs[0].file : nil
            return [WrittenOutput(preset, file: file, hasPicture: hasPicture)]
        }
        guard !outputs.isEmpty else {
            return [WrittenOutput(PresetCatalog.standard(picture: hasPicture), file: nil, hasPicture: hasPicture)]
        }
        return outputs.map { WrittenOutput($0.preset, file: $0.file, hasPicture: hasPicture) }
    }

    /// The preset that the name of the one file says where nobody names a preset: `mix.wav` is sound, whatever the edit
    /// shows.
    /// - Parameter path: the value of `-o`.
    /// - Returns: nil for an edit with outputs of its own, and for a name that files with pictures have too.
    static func preset(of path: String?, for document: EditDocument) -> String? {
        let hasOutputs =
            switch document {
            case .edit(let edit): !edit.outputs.isEmpty
            case .composition(let composition): !composition.outputs.isEmpty
            }
        guard !hasOutputs, let ending = path.map({ ($0 as NSString).pathExtension.lowercased() }) else { return nil }
        return PresetCatalog.all.first { preset in
            preset.isSoundAlone && endings(of: preset.container, hasPicture: false).contains(ending)
                && !endings(of: preset.container, hasPicture: true).contains(ending)
        }?.name
    }

    /// The extension that files of this kind have, without a dot.
    var fileExtension: String { container?.fileExtension(hasPicture: hasPicture) ?? "mp4" }

    /// The endings of file names by which people and players know what is inside.
    private static func endings(of container: Container, hasPicture: Bool) -> [String] {
        switch container {
        case .mp4: hasPicture ? ["mp4", "m4v"] : ["m4a", "m4b", "m4r", "mp4"]
        case .mov: hasPicture ? ["mov", "qt"] : []
        case .matroska: hasPicture ? ["mkv", "mk3d"] : ["mka", "mkv"]
        case .ogg: hasPicture ? [] : ["opus", "ogg", "oga"]
        case .wav, .flac, .mp3: hasPicture ? [] : [container.fileExtension]
        }
    }

    /// The sentence about a path that is not named like the file that it will be, and a better name.
    /// - Returns: nil for a good name, and for a preset that does not exist.
    func mismatch(_ path: String) -> (sentence: String, better: String)? {
        let ending = (path as NSString).pathExtension.lowercased()
        guard let container, !WrittenOutput.endings(of: container, hasPicture: hasPicture).contains(ending) else {
            return nil
        }
        let found = ending.isEmpty ? "and this name has no ending" : "not .\(ending)"
        let sentence = "the preset \(preset) makes a file that is named .\(fileExtension), \(found)"
        return (sentence + WrittenOutput.elsewhere(ending), path.withoutExtension + "." + fileExtension)
    }

    /// Says how files with another ending are made; empty when this program makes none.
    private static func elsewhere(_ ending: String) -> String {
        if ["png", "jpg", "jpeg"].contains(ending) { return "; images are made by `cutfarm still`" }
        let preset = PresetCatalog.all.first { preset in
            preset.container.fileExtension(hasPicture: !preset.isSoundAlone) == ending
        }
        return preset.map { "; `--preset \($0.name)` makes such a file" } ?? ""
    }

    /// Checks the name of a file of this machine.
    /// - Parameter isProposal: whether the edit says `path`, and the command line says nothing.
    /// - Throws: ``CommandFailure`` when `path` is named like another kind of file than it will be.
    func check(_ path: String, isProposal: Bool = false) throws {
        // Standard output and devices are refused with sentences of their own (``OutputFile``).
        guard path != "-", FileStatus(of: path)?.isRegular != false else { return }
        try check(name: path, isProposal: isProposal)
    }

    /// Checks a name, whatever lies there: that of a target, which is a file of the coordinator, or ``check(_:isProposal:)``
    /// once it knows.
    /// - Throws: ``CommandFailure`` when `path` is named like another kind of file than it will be.
    func check(name path: String, isProposal: Bool = false) throws {
        guard let (sentence, better) = mismatch(path) else { return }
        let advice = isProposal ? "give -o \(better)" : "call it \(better)"
        throw CommandFailure(.usage, "\(path): \(sentence); \(advice).")
    }

    /// The findings about names that do not fit, where the document names the files.
    static func findings(_ document: EditDocument) -> [Finding] { findings(list(document)) }

    /// The findings about names that do not fit.
    static func findings(_ outputs: [WrittenOutput]) -> [Finding] {
        outputs.enumerated().compactMap { index, output in
            guard let file = output.file, let (sentence, better) = output.mismatch(file) else { return nil }
            return Finding(
                rule: .fileKind,
                pointer: "/outputs/\(index)/file",
                line: 0,
                column: 0,
                message: "“\(file)”: \(sentence)",
                suggestion: "\"\(better)\""
            )
        }
    }
}
