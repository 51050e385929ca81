import Client
import CompositionModel
import Foundation
import Synchronization
import Timing
import WireProtocol

extension JobWatcher {
    /// Fetches the movie of a completed job, and the rest of it whenever it was cut, also by an earlier command. It has its
    /// name once all of it is there and its digest is the one that the farm recorded.
    /// - Throws: ``CommandFailure`` when the bytes are not those that the farm recorded, or cannot be written;
    ///   `ClientError` when the coordinator refuses, or stays away longer than ``patience``; `CancellationError`.
    func fetch(_ job: JobView, to file: OutputFile) async throws {
        guard let digest = job.artifact else {
            throw CommandFailure(.conflict, "Job \(job.id) has no movie to fetch.")
        }
        let partial = try PartialOutput(of: digest, for: file)
        do {
            try await onThread { try partial.readBeginning(upTo: job.byteCount ?? .max) }
            let found = partial.byteCount
            try await fetchRest(of: job, digest, into: partial)
            if partial.digest != digest, found > 0 {
                // What lay there was not the movie's beginning, or has rotted.
                try partial.restart()
                try await fetchRest(of: job, digest, into: partial)
            }
            guard partial.digest == digest else {
                try partial.restart()
                throw CommandFailure(.internalError, "The movie arrived with other bytes than the farm recorded.")
            }
            try partial.place()
        } catch {
            let isKept = keepsPartialMovies && partial.byteCount > 0 && !(error is ClientError && !error.mayPass)
            guard isKept else {
                partial.remove()
                throw error
            }
            Console.error(
                "\(partial.path) has the first \(partial.byteCount) bytes; "
                    + "`cutfarm fetch \(job.id) -o \(file.path)` fetches the rest."
            )
            throw error
        }
    }

    private func fetchRest(of job: JobView, _ digest: ContentDigest, into partial: PartialOutput) async throws {
        // Since the first failure after which no byte came.
        var silence: Stopwatch?
        while partial.byteCount == 0 || partial.byteCount < job.byteCount ?? .max {
            let before = partial.byteCount
            // What the sink throws comes back wrapped by the transfer: the cause is kept beside it.
            let cause = Mutex<CommandFailure?>(nil)
            do {
                try await connection.output(of: job.id, from: before, of: digest) { offset in
                    if offset == 0, before > 0 { try cause.noting { try partial.restart() } }
                } into: { bytes in
                    try cause.noting { try partial.append(bytes) }
                }
                return
            } catch {
                if let cause = cause.withLock(\.self) { throw cause }
                try Task.checkCancellation()
                if case .problem(let problem) = error, problem.status == 416, before > 0 {
                    try partial.restart()
                    continue
                }
                guard error.isTransient else { throw error }
                if partial.byteCount > before { silence = nil }
                let waited = silence ?? Stopwatch(on: connection.clock)
                silence = waited
                guard waited.elapsed < patience else { throw error.givingUp(after: waited.elapsed) }
                display.waiting(error)
            }
            try await connection.clock.sleep(for: .milliseconds(500))
        }
    }

    /// Runs `work`, which reads a long file, on a thread of its own.
    private func onThread(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}

extension Mutex<CommandFailure?> {
    /// Runs `body` and notes the failure that it throws.
    fileprivate borrowing func noting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as CommandFailure {
            withLock { $0 = failure }
            throw failure
        }
    }
}

extension Error {
    /// Whether what was fetched may be of use to a later command.
    fileprivate var mayPass: Bool {
        guard let error = self as? ClientError else { return true }
        if case .cancelled = error { return true }
        return error.isTransient
    }
}
