import CompositionModel
import Foundation
import Planning
import Storage
import WireProtocol

/// Makes many stills and reports the outcome of each.
struct StillRun: Sendable {
    /// A request, and the frame that answers it.
    struct Item: Sendable {
        /// The time as it was written.
        let text: String
        let frame: Result<Int64, StillTimes.Refusal>
    }

    let rendering: LocalRendering
    let times: StillTimes
    let names: StillNames
    /// The size in pixels that each image is reduced to fit into; nil keeps the frame's own.
    let box: PictureSize?
    let isForced: Bool
    let json: Bool
    /// The number of processes that work at once on this machine.
    let workers: Int
    let scratch: ScratchFolder
    /// The farm that makes the images; nil for this machine.
    var farm: FarmStills?

    /// Makes every still that can be made.
    /// - Throws: ``CommandFailure`` when some are not done, after all outcomes were reported; also, before any is made,
    ///   when two would be written to one file.
    func make(_ items: [Item]) async throws {
        let report = StillReport(items.map(\.text), times: times, json: json)
        let stills = try files(for: items, report)
        do {
            try await Interruptible.run { try await make(stills, report) }
        } catch is CancellationError {
            report.cancelRest()
            throw CommandFailure(.interrupted, "Interrupted: \(report.doneCount) of \(items.count) stills are done.")
        }
        guard report.doneCount == items.count else {
            throw CommandFailure(.jobFailed, "\(items.count - report.doneCount) of \(items.count) stills are not done.")
        }
    }

    /// The files for the requests that have a frame, in the order of the first request for each.
    private func files(for items: [Item], _ report: StillReport) throws -> [StillFile] {
        var stills: [StillFile] = []
        var known: [String: Int] = [:]
        var claims = OutputClaims()
        for (position, item) in items.enumerated() {
            switch item.frame {
            case .failure(let refusal): report.failed(at: [position], refusal.sentence)
            case .success(let frame):
                let path = try names.path(frame, isOnly: items.count == 1)
                if let still = known[path] {
                    stills[still].positions.append(position)
                    continue
                }
                try claims.claim([path], place: item.text)
                known[path] = stills.count
                let file = try OutputFile(path: path, isForced: isForced)
                stills.append(StillFile(positions: [position], frame: frame, file: file))
            }
        }
        return stills
    }

    private func make(_ stills: [StillFile], _ report: StillReport) async throws {
        guard !stills.isEmpty else { return }
        let ordered = stills.sorted { $0.frame < $1.frame }
        if let farm { return try await farm.make(ordered, format: names.format, box: box, report) }
        let task = try rendering.picture(showing: ordered.map(\.frame))
        let sources = try await rendering.sources.open(task.assets, scratch: scratch.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Neighbouring frames go to one process, because they share groups of pictures.
            let size = (ordered.count + workers - 1) / workers
            for start in stride(from: 0, to: ordered.count, by: size) {
                let part = Array(ordered[start..<min(start + size, ordered.count)])
                group.addTask { try await make(part, task, sources, report) }
            }
            // The failure of one ends the others.
            while try await group.next() != nil {}
        }
    }

    /// Makes some stills in one process.
    private func make(
        _ stills: [StillFile],
        _ task: PictureTask,
        _ sources: LocalSources.Opened,
        _ report: StillReport
    ) async throws {
        let paths = stills.map { scratch.file("still-\($0.positions[0])") }
        let request = StillsRequest(
            task: task,
            sources: sources.files,
            stills: zip(stills, paths).map { .init(frame: $0.frame, path: $1) },
            format: names.format,
            box: box
        )
        let (made, continuation) = AsyncStream.makeStream(of: (Int, Failure?).self)
        async let delivered: Void = deliver(made, stills, paths, report)
        do {
            try await rendering.renderer.run(
                .stills(request),
                readable: sources.readable,
                writable: [scratch.path],
                onStill: { position, failure in continuation.yield((position, failure)) }
            )
            continuation.finish()
        } catch {
            continuation.finish()
            try await delivered
            if error is CancellationError { throw error }
            report.failed(stills, "\(error)")
            return
        }
        try await delivered
    }

    /// Puts each still in its place as soon as it is made.
    private func deliver(
        _ made: AsyncStream<(Int, Failure?)>,
        _ stills: [StillFile],
        _ paths: [String],
        _ report: StillReport
    ) async throws {
        for await (index, failure) in made where stills.indices.contains(index) {
            let still = stills[index]
            if let failure {
                report.failed([still], failure.message)
                continue
            }
            do {
                let data = try Data(contentsOf: URL(fileURLWithPath: paths[index]))
                try await still.file.deliver { sink in try data.withUnsafeBytes(sink) }
                try? FileManager.default.removeItem(atPath: paths[index])
                report.done(still)
            } catch let error as CommandFailure {
                report.failed([still], error.lines.joined(separator: " "))
            }
        }
    }
}
