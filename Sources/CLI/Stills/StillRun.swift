import Foundation
import Shared
import Storage
import Synchronization

/// Makes many stills, with a word on each.
struct StillRun: Sendable {
    /// What was asked for, and the frame that answers it.
    struct Item: Sendable {
        let text: String
        let frame: Result<Int64, StillTimes.Refusal>
    }

    let pictures: LocalPictures
    let times: StillTimes
    let names: StillNames
    let box: PictureSize?
    let isForced: Bool
    let json: Bool
    let workers: Int
    let scratch: ScratchFolder
    /// Makes them in place of this machine.
    var farm: FarmStills?

    /// One image file, and the requests that it answers: several times may show one frame.
    struct Job: Sendable {
        var positions: [Int]
        let frame: Int64
        let file: OutputFile
    }

    /// - Throws: ``CommandFailure`` when not all of them are done; everything is reported before.
    func make(_ items: [Item]) async throws {
        let report = StillReport(items.map(\.text), times: times, json: json)
        var jobs: [Job] = []
        var known: [String: Int] = [:]
        var claims = OutputClaims()
        for (position, item) in items.enumerated() {
            switch item.frame {
            case .failure(let refusal): report.failed([position], refusal.sentence)
            case .success(let frame):
                let path = try names.path(frame, isOnly: items.count == 1)
                if let job = known[path] {
                    jobs[job].positions.append(position)
                    continue
                }
                try claims.claim([path], place: item.text)
                known[path] = jobs.count
                jobs.append(Job(positions: [position], frame: frame, file: try .init(path: path, isForced: isForced)))
            }
        }
        do {
            try await Interruptible.run { [jobs] in try await run(jobs, report) }
        } catch is CancellationError {
            report.cancelRest()
            throw CommandFailure(.interrupted, "Interrupted: \(report.doneCount) of \(items.count) stills are done.")
        }
        guard report.doneCount == items.count else {
            throw CommandFailure(.jobFailed, "\(items.count - report.doneCount) of \(items.count) stills are not done.")
        }
    }

    /// Neighbours go to one process: they share groups of pictures.
    private func run(_ jobs: [Job], _ report: StillReport) async throws {
        guard !jobs.isEmpty else { return }
        let ordered = jobs.sorted { $0.frame < $1.frame }
        if let farm { return try await farm.make(ordered, format: names.format, box: box, report) }
        let size = (ordered.count + workers - 1) / workers
        let task = try pictures.picture(showing: ordered.map(\.frame))
        let (sources, readable) = try await pictures.sources(task.assets, scratch: scratch.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: ordered.count, by: size) {
                let part = Array(ordered[start..<min(start + size, ordered.count)])
                group.addTask { try await make(part, task, sources, readable, report) }
            }
            try await group.waitForAll()
        }
    }

    private func make(
        _ jobs: [Job],
        _ task: PictureTask,
        _ sources: [SourceFile],
        _ readable: [String],
        _ report: StillReport
    ) async throws {
        let paths = jobs.map { scratch.file("still-\($0.positions[0])") }
        let request = StillsRequest(
            task: task,
            sources: sources,
            stills: zip(jobs, paths).map { .init(frame: $0.frame, path: $1) },
            format: names.format,
            box: box
        )
        let (made, continuation) = AsyncStream.makeStream(of: (Int, Failure?).self)
        async let delivered: Void = deliver(made, jobs, paths, report)
        do {
            try await pictures.run(
                .stills(request),
                readable: readable,
                writable: [scratch.path],
                onStill: { position, failure in continuation.yield((position, failure)) }
            )
            continuation.finish()
        } catch {
            continuation.finish()
            try await delivered
            if error is CancellationError { throw error }
            report.failed(jobs.flatMap(\.positions), "\(error)")
            return
        }
        try await delivered
    }

    /// Puts each still in its place as soon as it is made.
    private func deliver(
        _ made: AsyncStream<(Int, Failure?)>,
        _ jobs: [Job],
        _ paths: [String],
        _ report: StillReport
    ) async throws {
        for await (index, failure) in made where jobs.indices.contains(index) {
            let job = jobs[index]
            if let failure {
                report.failed(job.positions, failure.message)
                continue
            }
            do {
                let data = try Data(contentsOf: URL(fileURLWithPath: paths[index]))
                try await job.file.deliver { sink in try data.withUnsafeBytes(sink) }
                try? FileManager.default.removeItem(atPath: paths[index])
                report.done(job.positions, frame: job.frame, path: job.file.path)
            } catch let error as CommandFailure {
                report.failed(job.positions, error.lines.joined(separator: " "))
            }
        }
    }
}

/// Says of each requested time what became of it: done, failed or cancelled, and the time that is shown.
final class StillReport: Sendable {
    private struct Line: Encodable {
        let at: String
        let state: String
        var frame: Int64?
        var time: String?
        var file: String?
        var reason: String?
    }

    private let texts: [String]
    private let times: StillTimes
    private let json: Bool
    private let states: Mutex<[Bool?]>

    init(_ texts: [String], times: StillTimes, json: Bool) {
        (self.texts, self.times, self.json) = (texts, times, json)
        states = Mutex([Bool?](repeating: nil, count: texts.count))
    }

    var doneCount: Int { states.withLock { states in states.count { $0 == true } } }

    func done(_ positions: [Int], frame: Int64, path: String) {
        let time = "\(times.time(frame))"
        for position in positions where end(position, isDone: true) {
            print(Line(at: texts[position], state: "done", frame: frame, time: time, file: path))
        }
    }

    func failed(_ positions: [Int], _ reason: String) {
        for position in positions where end(position, isDone: false) {
            print(Line(at: texts[position], state: "failed", reason: reason))
        }
    }

    func cancelRest() {
        for position in texts.indices where end(position, isDone: false) {
            print(Line(at: texts[position], state: "cancelled"))
        }
    }

    /// - Returns: whether it was still open.
    private func end(_ position: Int, isDone: Bool) -> Bool {
        states.withLock { states in
            guard states[position] == nil else { return false }
            states[position] = isDone
            return true
        }
    }

    private func print(_ line: Line) {
        guard !json else {
            if let data = try? WireJSON.encode(line) { Console.print(String(decoding: data, as: UTF8.self)) }
            return
        }
        let shown = line.frame.map { "  frame \($0) at \(line.time ?? "") s" } ?? ""
        let rest = (line.file ?? line.reason).map { "  \($0)" } ?? ""
        Console.print("\(line.at)  \(line.state)\(shown)\(rest)")
    }
}
