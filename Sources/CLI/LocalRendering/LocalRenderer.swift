import CompositionModel
import Sandbox
import WireProtocol

/// Runs render processes on this machine; its failures name the file or the asset at fault.
struct LocalRenderer: Sendable {
    let process: RenderProcess
    /// The path of the media file, as the user gave it; nil for an edit.
    let footage: String?
    /// The names of the edit's assets.
    let names: AssetNames

    /// Runs a request to its end and reports the warnings.
    /// - Parameters:
    ///   - readable: The paths that the process may read.
    ///   - writable: The paths that the process may write.
    ///   - onProgress: Called with the progress in thousandths.
    ///   - onStill: Called with the position of each still that was tried, and the reason if it could not be made.
    ///   - say: Called with each warning, one line each.
    /// - Throws: `RenderFailed` with a sentence that names the file or the asset; `CancellationError`.
    @discardableResult
    func run(
        _ request: RenderRequest,
        readable: [String],
        writable: [String],
        onProgress: @escaping @Sendable (_ permille: Int) -> Void = { _ in },
        onStill: @escaping @Sendable (Int, Failure?) -> Void = { _, _ in },
        say: (String) -> Void = Console.error
    ) async throws -> RenderResult {
        let outcome: RenderProcess.Outcome
        do {
            outcome = try await process.run(
                request,
                readable: readable,
                writable: writable,
                onProgress: onProgress,
                onStill: onStill
            )
        } catch let error as RenderFailed {
            throw RenderFailed(named(error.failure))
        }
        for line in TaskTable.lines(of: (outcome.statistics.warnings ?? []).map(named)) { say(line) }
        return outcome.result
    }

    /// The failure with the name of the file or the asset that is at fault.
    private func named(_ failure: Failure) -> Failure {
        guard let footage else { return names.naming(failure) }
        guard failure.asset != nil else { return failure }
        var named = failure
        named.message = "\(footage): \(failure.message)"
        return named
    }
}
