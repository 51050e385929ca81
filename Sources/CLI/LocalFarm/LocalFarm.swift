import Client
import Foundation
import Storage

/// A whole farm on this machine, for as long as one command needs it: a coordinator with its own PostgreSQL, and
/// workers. They are separate processes that speak HTTP with a token made for this run, and they end however this
/// process ends.
struct LocalFarm: Sendable {
    /// The number of worker processes.
    let workers: Int
    /// The folder below which the farm's own folder is made, and removed at the end.
    let stateFolder: String
    let allowUnsandboxed: Bool

    /// Starts the farm, calls `body`, stops the farm and removes everything that it stored.
    /// - Throws: The error that `body` throws; ``CommandFailure`` when the farm cannot be started or keeps ending;
    ///   `CancellationError`.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (CoordinatorConnection) async throws -> Value
    ) async throws -> Value {
        let folder = try LocalFarm.runFolder(below: stateFolder)
        let result: Result<Value, any Error>
        do {
            result = .success(try await run(body, in: folder.path))
        } catch {
            result = .failure(error)
        }
        await LocalFarm.remove(folder)
        return try result.get()
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (CoordinatorConnection) async throws -> Value,
        in folder: String
    ) async throws -> Value {
        let tokens = try RunTokens(in: folder)
        let lifeline = try Lifeline()
        let coordinator = coordinator(in: folder, tokens: tokens, lifeline: lifeline)
        // The coordinator is not a child of this task: it ends last, after the workers have handed their leases back to
        // it.
        let keeper = Task { try await coordinator.supervise() }
        let result: Result<Value, any Error>
        do {
            let run = Run(folder: folder, tokens: tokens, lifeline: lifeline, coordinator: coordinator, keeper: keeper)
            result = .success(try await withWorkers(run, body))
        } catch {
            result = .failure(error)
        }
        keeper.cancel()
        _ = await keeper.result
        return try result.get()
    }

    /// The parts of one run.
    private struct Run: Sendable {
        let folder: String
        let tokens: RunTokens
        let lifeline: Lifeline
        let coordinator: SupervisedProcess
        /// The task that supervises the coordinator; it fails when the coordinator keeps ending.
        let keeper: Task<Void, any Error>
    }

    private func withWorkers<Value: Sendable>(
        _ run: Run,
        _ body: @escaping @Sendable (CoordinatorConnection) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            let address = try await address(in: run)
            group.addTask {
                while !run.coordinator.hasGivenUp { try await Task.sleep(for: .milliseconds(50)) }
                try await run.keeper.value
                return nil
            }
            for number in 1...workers {
                let worker = worker(number, of: address, in: run)
                group.addTask {
                    try await worker.supervise()
                    return nil
                }
            }
            let connection = try CoordinatorConnection(baseURL: address, token: run.tokens.user)
            group.addTask { try await body(connection) }
            while let finished = try await group.next() {
                if let finished { return finished }
            }
            throw CancellationError()
        }
    }

    /// Removes the run's folder, repeatedly while children of killed processes still write there: they end with their
    /// parents, but a moment later.
    private static func remove(_ folder: ScratchFolder) async {
        let path = folder.path
        // The removal must also happen when this task is cancelled.
        await Task.detached {
            for _ in 0..<100 {
                try? FileManager.default.removeItem(atPath: path)
                guard access(path, F_OK) == 0 else { return }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }.value
        withExtendedLifetime(folder) {}
    }

    /// Makes the run's folder. The user `postgres` must be able to enter it; its secrets are readable by this user
    /// alone.
    private static func runFolder(below parent: String) throws -> ScratchFolder {
        ScratchFolder.sweep(below: parent, named: "run-")
        return try ScratchFolder(below: parent, named: "run-", mode: 0o755)
    }

    private func coordinator(in folder: String, tokens: RunTokens, lifeline: Lifeline) -> SupervisedProcess {
        SupervisedProcess(
            name: "coordinator",
            arguments: [
                "coordinator", "--state", folder + "/state", "--port", "0", "--token-file", tokens.file,
                "--address-file", folder + "/address", "--asset-root", "/", "--ephemeral",
                "--database-template", stateFolder + "/postgresql-template", "--until-input-closes",
            ] + sandboxFlag,
            // A port that was found stays the same, because the workers know it.
            restartArguments: { arguments in
                guard let port = LocalFarm.address(in: folder)?.split(separator: ":").last else { return arguments }
                return arguments.map { $0 == "0" ? String(port) : $0 }
            },
            log: folder + "/coordinator.log",
            lifeline: lifeline
        )
    }

    private func worker(_ number: Int, of address: String, in run: Run) -> SupervisedProcess {
        SupervisedProcess(
            name: "worker \(number)",
            arguments: [
                "worker", "--coordinator", address, "--token-file", run.tokens.workerFile, "--name", "local-\(number)",
                "--cache", run.folder + "/cache", "--drain-seconds", "0", "--until-input-closes",
            ] + sandboxFlag,
            restartArguments: { $0 },
            log: run.folder + "/worker-\(number).log",
            lifeline: run.lifeline
        )
    }

    private var sandboxFlag: [String] { allowUnsandboxed ? ["--allow-unsandboxed"] : [] }

    /// Waits until the coordinator listens.
    /// - Throws: The error that keeps the coordinator from starting.
    private func address(in run: Run) async throws -> String {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(120) {
            if let address = LocalFarm.address(in: run.folder) { return address }
            if run.coordinator.hasGivenUp { try await run.keeper.value }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CommandFailure(.internalError, "The coordinator did not start within two minutes.")
    }

    /// The address that the coordinator wrote; nil before.
    private static func address(in folder: String) -> String? {
        guard let data = FileManager.default.contents(atPath: folder + "/address"), !data.isEmpty else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
