import ArgumentParser
import CompositionModel
import EditLanguage
import Ingest

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find everything that is wrong with an edit, without rendering."
    )

    @OptionGroup var edit: EditOptions
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var local: LocalMediaOptions

    @Flag(help: "Findings as a JSON array on standard output.")
    var json = false

    func run() async throws {
        do {
            let file = try edit.load(preset: outputs.preset)
            if let note = outputs.smartNote(for: file.read.document) { Console.error(note) }
            let compiled = try await file.compiled(by: local.probe(), options: outputs, checksFiles: true)
            for index in compiled.composition.outputs.indices {
                _ = try compiled.plan(output: index, segmentCount: outputs.segments)
            }
            try show(compiled.findings)
        } catch let failure as CommandFailure where json {
            try JSONOutput.print(failure.findings)
            throw CommandFailure(failure.status, lines: failure.findings.isEmpty ? failure.lines : [])
        }
    }

    private func show(_ findings: [Finding]) throws {
        guard !json else { return try JSONOutput.print(findings) }
        for line in FindingsPrinter.lines(findings, file: edit.edit) { Console.print(line) }
        Console.print("\(edit.edit) is good.")
    }
}
