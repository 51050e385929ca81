package import CompositionModel
import Foundation
import Planning
package import WireProtocol

/// The resources that one render child may take before it is stopped, whatever its input makes it do.
package struct RenderLimits: Sendable, Hashable {
    /// The longest time from start to end.
    package var wall: Duration
    /// Processor time, in whole seconds.
    package var cpuSeconds: Int
    /// The largest size of each file that the child writes, in MiB.
    package var fileMiB: Int
    /// The memory that the child allocates for itself, in MiB; nil for what its address space holds.
    package var dataMiB: Int?

    /// Makes limits of the given size.
    package init(wall: Duration, cpuSeconds: Int, fileMiB: Int, dataMiB: Int? = nil) {
        self.wall = wall
        self.cpuSeconds = cpuSeconds
        self.fileMiB = fileMiB
        self.dataMiB = dataMiB
    }

    /// The time to probe a small file, as elapsed and as processor time.
    package static let probeTime = Duration.seconds(120)

    /// The limits of a probe. It reads the whole file, so that its time, its index and its memory grow with the file.
    /// - Parameters:
    ///   - byteCount: the length of the file, in bytes.
    ///   - time: the time for a small file; one second is added per 8 MiB.
    package init(probing byteCount: Int64, time: Duration = probeTime) {
        let wall = time + .seconds(byteCount >> 23)
        self.init(
            wall: wall,
            cpuSeconds: Int(wall.components.seconds),
            fileMiB: 64 + Int(byteCount >> 20),
            dataMiB: RenderLimits.leastProbeMiB + Int(byteCount >> 26)
        )
    }

    /// Room for the program itself, its threads, and one decoded picture of 8192x8192.
    private static let leastProbeMiB = 448

    /// The limits for a worker's task: a multiple of what it needs, and still an end.
    /// - Parameter sources: the files, in the order of the task's assets.
    package init(rendering grant: LeaseGrant, sources: [SourceFile]) {
        let fileBytes =
            switch grant.payload {
            case .picture(let task): RenderLimits.bytes(of: task)
            case .sound(let task): RenderLimits.bytes(of: task, sources)
            case .stills(let task): RenderLimits.bytes(of: task)
            case .measure(let task): RenderLimits.bytes(of: task, sources)
            // No worker's task.
            case .stitch: Int64(0)
            }
        self.init(of: grant, fileBytes: fileBytes)
    }

    /// The limits for joining a movie.
    /// - Parameter partBytes: the length of all parts together, in bytes; a movie has little more.
    package init(stitching grant: LeaseGrant, partBytes: Int64) {
        self.init(of: grant, fileBytes: RenderLimits.product(partBytes, 2))
    }

    /// The lease's own deadline comes before the time is up; these hold where nobody is left to see it.
    private init(of grant: LeaseGrant, fileBytes: Int64) {
        let seconds = 60 + grant.deadlineMilliseconds / 1000
        self.init(
            wall: .seconds(seconds),
            cpuSeconds: seconds * max(1, ProcessInfo.processInfo.activeProcessorCount),
            fileMiB: 64 + Int(fileBytes >> 20)
        )
    }

    /// Twelve bytes a pixel: no codec of ours needs as many for noise, at 4:4:4 and 16 bits a sample.
    private static func bytes(of task: PictureTask) -> Int64 {
        product(task.frameCount + task.postRollCount, Int64(task.size.width), Int64(task.size.height), 12)
    }

    /// The length of the largest image: PNG may need a little more than its pixels.
    private static func bytes(of task: StillsTask) -> Int64 {
        guard let sheet = task.order.sheet, let cell = task.order.box else {
            return product(Int64(task.picture.size.width), Int64(task.picture.size.height), 4)
        }
        return product(Int64(sheet.columns * (cell.width + 9) + 8), Int64(sheet.rows * (cell.height + 9) + 8), 4)
    }

    /// The larger of what it writes: the result, and the sources' decoded sound as Float in one scratch file, once for
    /// each mix that may play them.
    private static func bytes(of task: SoundTask, _ sources: [SourceFile]) -> Int64 {
        let streams = sources.flatMap { $0.facts?.audio ?? [] }
        return streams.reduce(product(task.sampleCount, Int64(task.channels), 8)) { sum, stream in
            let mixes = 1 + Int64(task.nested?.count ?? 0)
            return min(most, sum + product(stream.sampleCount, Int64(stream.channels), 4, mixes))
        }
    }

    /// Forty bytes a column at most, and no more columns than a waveform may have.
    private static func bytes(of task: MeasureTask, _ sources: [SourceFile]) -> Int64 {
        max(bytes(of: task.sound, sources), product(WaveformOrder.mostColumns, 40))
    }

    /// The product of the factors, of which negative ones count as 0; at most 2^60.
    private static func product(_ factors: Int64...) -> Int64 {
        factors.reduce(1) { product, factor in
            let (next, overflow) = product.multipliedReportingOverflow(by: max(0, factor))
            return overflow ? most : min(most, next)
        }
    }

    private static let most: Int64 = 1 << 60

    var arguments: [String] {
        ["--cpu", String(max(1, cpuSeconds)), "--file-size", String(max(1, fileMiB))]
            + (dataMiB.map { ["--data", String(max(1, $0))] } ?? [])
    }
}

extension RenderProcess {
    /// Runs the child within `limits`, else as ``run(_:readable:writable:onNeed:onProgress:)``.
    /// - Throws: ``RenderFailed`` with `render_time_limit`, `render_cpu_limit` or `render_file_limit` as well; the
    ///   child is gone then.
    package func run(
        _ request: RenderRequest,
        within limits: RenderLimits,
        readable: [String],
        writable: [String],
        onNeed: @escaping @Sendable (_ source: Int, _ block: Int64) async -> Failure? = { _, _ in nil },
        onProgress: @escaping @Sendable (_ permille: Int) -> Void = { _ in },
        onStill: @escaping @Sendable (_ position: Int, _ failure: Failure?) -> Void = { _, _ in },
        onLine: @escaping @Sendable (_ line: String) -> Void = { _ in }
    ) async throws -> Outcome {
        var process = self
        process.limits = limits
        return try await withThrowingTaskGroup(of: Outcome?.self) { [process] group in
            group.addTask {
                try await process.run(
                    request,
                    readable: readable,
                    writable: writable,
                    onNeed: onNeed,
                    onProgress: onProgress,
                    onStill: onStill,
                    onLine: onLine
                )
            }
            group.addTask { [clock] in
                try await clock.sleep(for: limits.wall)
                return nil
            }
            // Leaving the group cancels what still runs, which kills the child, and waits for it.
            defer { group.cancelAll() }
            guard let outcome = try await group.next()?.flatMap(\.self) else { throw RenderFailed(.tooSlow) }
            return outcome
        }
    }
}
