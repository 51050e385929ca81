import ArgumentParser
import Foundation
import Ingest
import Shared

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
            let file = try edit.load()
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

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Print the canonical composition of an edit, and say what was implied."
    )

    @OptionGroup var edit: EditOptions
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var local: LocalMediaOptions

    func run() async throws {
        let file = try edit.load()
        let compiled = try await file.compiled(by: local.probe(), options: outputs)
        Console.print(try ExplainPrinter.text(compiled.composition, findings: compiled.findings))
    }
}

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
        let file = try edit.load()
        let compiled = try await file.compiled(by: local.probe(), options: outputs, checksFiles: true)
        let plans = try compiled.composition.outputs.indices.map {
            try compiled.plan(output: $0, segmentCount: outputs.segments)
        }
        guard !json else { return try JSONOutput.print(plans) }
        let names = compiled.composition.assets.map { ($0.digest, $0.name) }
        for plan in plans {
            Console.print(PlanPrinter.text(plan, names: Dictionary(names, uniquingKeysWith: { first, _ in first })))
        }
    }
}

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of the edit format, for editors that complete and check."
    )

    func run() { Console.print(EditSchema.text) }
}

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "presets", abstract: "List the export presets.")

    func run() {
        let rows = PresetCatalog.all.map { [$0.name, $0.summary] }
        Console.print(TextTable(["preset", "what it makes"], rows).text)
    }
}

extension LocalCompilation {
    /// - Throws: ``CommandFailure`` with the planner's sentence.
    func plan(output: Int, segmentCount: Int?) throws -> RenderPlan {
        do {
            return try Planner.plan(composition, output: output, facts: facts, segmentCount: segmentCount)
        } catch {
            throw CommandFailure(error.failure)
        }
    }
}
