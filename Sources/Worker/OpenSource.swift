import Client
import CompositionModel
import Farm
import Foundation
import Sandbox
import Storage
import Threads
import WireProtocol

/// One source of a running task.
struct OpenSource: Sendable {
    let asset: CachedAsset
    /// The paths of the frame indexes, by stream index.
    let indexes: [Int: String]

    /// The source as a render process takes it: its blocks come as they are needed.
    var file: SourceFile {
        SourceFile(
            path: asset.path,
            byteCount: asset.record.byteCount,
            isComplete: false,
            frameIndexes: indexes,
            facts: asset.record.facts
        )
    }

    /// The paths that the process must be able to read.
    var readablePaths: [String] { [asset.path] + indexes.values }

    /// Makes a block present in the cache file, fetching it up to four times.
    /// - Parameters:
    ///   - block: the block's number, counted from 0.
    ///   - traffic: counts the bytes that are fetched.
    /// - Returns: nil when the block is there, else why it cannot be had.
    func provide(
        _ block: Int64,
        from connection: CoordinatorConnection,
        counting traffic: TrafficCounter
    ) async -> Failure? {
        if await DedicatedThread.run({ [asset] in asset.holds(block) }) { return nil }
        guard let range = asset.bytes(ofBlock: block) else {
            return .unexpected("The render process asked for block \(block), which the asset does not have.")
        }
        do {
            try await RetrySchedule.block.run(on: connection.clock, retrying: isTransient) {
                let data = try await patiently(on: connection.clock) {
                    try await connection.block(range, of: asset.record.digest)
                }
                traffic.add(data.count)
                try await DedicatedThread.run { [asset] in try asset.store(data, asBlock: block) }
            }
            return nil
        } catch {
            return failure(of: error)
        }
    }

    /// Whether another attempt may succeed: anything but a block that the coordinator says is gone for good.
    private func isTransient(_ error: any Error) -> Bool {
        !(error is ClientError && Failure(describing: error, about: asset.record.digest).isPermanent)
    }

    private func failure(of error: any Error) -> Failure {
        switch error {
        case let error as CachedAsset.BlockError: return error.failure
        case is ClientError:
            let failure = Failure(describing: error, about: asset.record.digest)
            if failure.isPermanent { return failure }
            return Failure(code: FarmFailure.assetUnavailable, message: failure.message, isPermanent: false)
        default: return Failure(describing: error)
        }
    }
}
