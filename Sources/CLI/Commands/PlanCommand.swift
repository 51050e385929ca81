import ArgumentParser
import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import Planning
import Sandbox
import Timing
import WireProtocol

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show the segments an edit is rendered in, and why each begins and ends where it does.",
        discussion: """
            With --against it shows what differs from an earlier version, under the same options, or from a job, and why: \
            what is rendered where the earlier parts are still kept (cutfarm parts).

              cutfarm plan edit.json
              cutfarm plan edit-v2.json --against edit-v1.json
              cutfarm plan edit-v2.json --against job_01998c3e-…
            """
    )

    @OptionGroup var edit: EditOptions
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var local: LocalMediaOptions
    @OptionGroup var farm: FarmOptions

    @Option(help: ArgumentHelp("An earlier version of the edit, or a job of the farm.", valueName: "edit|job"))
    var against: String?

    @Flag(help: "The plans as a JSON array on standard output.")
    var json = false

    func run() async throws {
        ProcessMemory.keepLittle()
        let compiled = try await compiled()
        let planned = try compiled.plansWithSurveys(segmentCount: outputs.segments)
        let plans = planned.map(\.plan)
        if let against { return try await compare(plans, compiled.names, with: against) }
        guard !json else { return try JSONOutput.print(plans.map { try $0.document() }) }
        for plan in plans { Console.print(PlanPrinter.text(plan, names: compiled.names)) }
        if let hint = LocalCompilation.matchHint(of: planned) { Console.print(hint) }
    }

    /// Reads and compiles the edit. The file's text and document are freed when this returns: planning a large edit
    /// needs their memory.
    private func compiled() async throws -> LocalCompilation {
        let file = try edit.load(preset: outputs.preset)
        ProcessMemory.returnFree()
        if let note = outputs.smartNote(for: file.read.document) { Console.error(note) }
        return try await file.compiled(by: local.probe(), options: outputs, checksFiles: true)
    }

    private func plans(of compiled: LocalCompilation) throws -> [RenderPlan] {
        try compiled.composition.outputs.indices.map { try compiled.plan(output: $0, segmentCount: outputs.segments) }
    }

    /// Prints what an earlier version has not.
    /// - Throws: ``CommandFailure`` when it has not as many outputs; what reading it throws.
    private func compare(_ plans: [RenderPlan], _ names: [ContentDigest: String], with name: String) async throws {
        let earlier = try await earlier(name)
        guard earlier.plans.count == plans.count else {
            let counts = "\(Count.of(plans.count, "output")) and \(name) has \(earlier.plans.count)"
            throw CommandFailure(.usage, "The edit has \(counts); choose one with --preset.")
        }
        let comparisons = zip(plans, earlier.plans).map {
            PlanComparison($0, against: $1, names: names, earlierNames: earlier.names)
        }
        guard !json else { return try JSONOutput.print(comparisons.map(\.changes)) }
        for (plan, comparison) in zip(plans, comparisons) {
            for line in comparison.lines(against: name, rate: plan.frameRate) { Console.print(line) }
        }
    }

    /// The plans of a job of the farm, or of another edit under the same options, and the names of its assets. A job
    /// tells its assets' digests alone.
    private func earlier(_ name: String) async throws -> (plans: [RenderPlan], names: [ContentDigest: String]) {
        if isJob(name) {
            guard let argument = try? JobArgument(argument: name) else {
                let form = "which is job_ and a UUID, or the beginning of one"
                throw CommandFailure(.usage, "“\(name)” is neither a file nor a job's id, \(form).")
            }
            let connection = try farm.connect()
            let job = try await argument.job(of: connection)
            return ([try WireJSON.decode(RenderPlan.self, from: try await connection.plan(of: job))], [:])
        }
        var other = edit
        other.edit = name
        let file = try other.load(preset: outputs.preset)
        let compiled = try await file.compiled(by: local.probe(), options: outputs, checksFiles: true)
        return (try plans(of: compiled), compiled.names)
    }

    /// Whether `name` means a job: it is a whole identifier, or could be the beginning of one and no file is called so.
    private func isJob(_ name: String) -> Bool {
        if JobID(text: name) != nil { return true }
        guard access(name, F_OK) != 0 else { return false }
        return name.hasPrefix("job_") || JobID.beginning(with: name) != nil
    }
}

extension LocalCompilation {
    /// The names of the edit's assets, by digest; of two assets of one content the first.
    fileprivate var names: [ContentDigest: String] {
        Dictionary(composition.assets.map { ($0.digest, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
