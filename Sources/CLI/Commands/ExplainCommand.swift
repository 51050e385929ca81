import ArgumentParser
import Ingest
import Planning

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Print the canonical composition of an edit, and say what was implied."
    )

    @OptionGroup var edit: EditOptions
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var local: LocalMediaOptions

    func run() async throws {
        let file = try edit.load(preset: outputs.preset)
        let compiled = try await file.compiled(by: local.probe(), options: outputs)
        Console.print(try ExplainPrinter.text(compiled.composition, findings: compiled.findings))
    }
}
