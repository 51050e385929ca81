import ArgumentParser
import CompositionModel
import EditLanguage
import Ingest
import Planning

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show the segments an edit is rendered in, and why each begins and ends where it does."
    )

    @OptionGroup var edit: EditOptions
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var local: LocalMediaOptions

    @Flag(help: "The plans as a JSON array on standard output.")
    var json = false

    func run() async throws {
        let file = try edit.load(preset: outputs.preset)
        if let note = outputs.smartNote(for: file.read.document) { Console.error(note) }
        let compiled = try await file.compiled(by: local.probe(), options: outputs, checksFiles: true)
        let plans = try compiled.composition.outputs.indices.map {
            try compiled.plan(output: $0, segmentCount: outputs.segments)
        }
        guard !json else { return try JSONOutput.print(plans) }
        let names = compiled.composition.assets.map { ($0.digest, $0.name) }
        for plan in plans {
            Console.print(PlanPrinter.text(plan, names: Dictionary(names, uniquingKeysWith: { first, _ in first })))
        }
        if let hint = compiled.matchHint { Console.print(hint) }
    }
}
