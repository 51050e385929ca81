import Client
import Foundation
import Shared

/// Which outputs of an edit come out the same, such as `h264` and `h264-480p` of an edit that is smaller than 480p: one
/// job makes the bytes of all of them.
struct EqualOutputs: Sendable {
    /// Position of an output → that of the first one that is equal to it, of those that are equal to an earlier one.
    private let firsts: [Int: Int]

    /// The position of the output that is rendered for `output`.
    func first(for output: Int) -> Int { firsts[output] ?? output }

    /// Plans every output as the coordinator will. Where that cannot be done nothing is equal to anything: the coordinator
    /// then says why, for each.
    /// - Parameter assets: by name, as they were delivered.
    init(
        _ file: EditFile,
        outputs: [Int],
        assets: [String: ContentDigest],
        options: OutputOptions,
        connection: CoordinatorConnection
    ) async throws(ClientError) {
        guard outputs.count > 1, let document = file.read.document else {
            firsts = [:]
            return
        }
        var known: [String: CompilerAsset] = [:]
        for (name, digest) in assets {
            do {
                guard let facts = try await connection.record(of: digest).facts else { continue }
                known[name] = CompilerAsset(digest: digest, facts: facts)
            } catch .problem {
                continue
            }
        }
        let compiled = EditCompiler.compile(
            document,
            assets: known,
            options: CompileOptions(preset: options.preset, range: options.span)
        )
        let facts = Dictionary(known.values.map { ($0.digest, $0.facts) }) { first, _ in first }
        var seen: [Work: Int] = [:]
        var firsts: [Int: Int] = [:]
        for output in outputs {
            guard let composition = compiled.composition,
                let plan = try? Planner.plan(
                    composition,
                    output: output,
                    facts: facts,
                    segmentCount: options.segments
                )
            else { continue }
            let work = Work(plan)
            if let first = seen[work] { firsts[output] = first } else { seen[work] = output }
        }
        self.firsts = firsts
    }

    /// What is rendered and joined: all that a movie's bytes depend on beside the sources and the libraries.
    private struct Work: Hashable {
        let segments: [PictureTask]
        let sound: SoundTask?
        let joining: StitchTask

        init(_ plan: RenderPlan) {
            segments = plan.segments.map(\.task)
            sound = plan.sound
            joining = plan.stitchTask()
        }
    }
}
