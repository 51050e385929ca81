import Client
import CompositionModel
import Foundation
import Storage
import Synchronization
import Timing
import WireProtocol

/// Sends one file to a coordinator, and the rest of it whenever it was cut, also by an earlier run of the command.
struct AssetUpload: Sendable {
    let connection: CoordinatorConnection
    /// The digest of the file.
    let digest: ContentDigest
    /// The path of the file.
    let path: String
    /// The time without a byte that arrived for which it tries again.
    var patience: Duration = .seconds(60)

    /// The time between two attempts.
    private static let pause: Duration = .milliseconds(500)

    /// Sends what the coordinator does not have of the file.
    /// - Parameters:
    ///   - onStart: Called with the number of bytes that are there before each attempt.
    ///   - onSent: Called with the number of bytes that are there, now and then.
    ///   - onRetry: Called with each error that is followed by another attempt.
    ///   - onWait: Called with what a file waits for that is there, as a sentence.
    /// - Throws: `ClientError` when the file was changed since it was hashed, when the coordinator refuses, or stays away for longer than ``patience``;
    ///   `CancellationError`.
    func run(
        onStart: @escaping @Sendable (_ byteCount: Int64) -> Void = { _ in },
        onSent: @escaping @Sendable (_ byteCount: Int64) -> Void = { _ in },
        onRetry: (ClientError) -> Void = { _ in },
        onWait: (_ sentence: String) -> Void = { _ in }
    ) async throws {
        // Since the first failure after which no byte arrived.
        var silence: Stopwatch?
        var (furthest, isSentAnew, isRetry): (Int64, Bool, Bool) = (0, false, false)
        while true {
            var start: Int64 = 0
            do {
                // The answer to the last byte may have been lost, or another client was faster.
                if isRetry, try await connection.hasAsset(digest) { return }
                let offset = try await connection.uploadOffset(of: digest)
                start = offset ?? 0
                // Once a part of it is at the coordinator, the rest goes there too.
                if start == 0, try await sendInParts(&furthest, &silence, onStart, onSent, onWait) { return }
                if start > furthest { (furthest, silence) = (start, nil) }
                onStart(start)
                return try await connection.upload(asset: digest, from: path, at: offset) { [start] in
                    onSent(start + $0)
                }
            } catch {
                try Task.checkCancellation()
                isRetry = true
                if error.mayMeanAChange { try await requireUnchanged() }
                // What lay there was not of this file, or has rotted; it is gone, and the whole is sent once more.
                if error.isDigestMismatch, start > 0, !isSentAnew {
                    isSentAnew = true
                    continue
                }
                guard error.isTransient || error.isUploadConflict else { throw error }
                // Another request is at it, or the coordinator reads the whole, which takes minutes for a long film.
                if error.isUploadBusy { silence = nil }
                let waited = silence ?? Stopwatch(on: connection.clock)
                silence = waited
                guard waited.elapsed < patience else { throw error.givingUp(after: waited.elapsed) }
                onRetry(error)
            }
            try await connection.clock.sleep(for: Self.pause)
        }
    }
}

extension AssetUpload {
    /// Sends the file to the farm's bucket, if it has one that takes it from here.
    /// - Returns: whether it is an asset now.
    private func sendInParts(
        _ furthest: inout Int64,
        _ silence: inout Stopwatch?,
        _ onStart: @escaping @Sendable (Int64) -> Void,
        _ onSent: @escaping @Sendable (Int64) -> Void,
        _ onWait: (String) -> Void
    ) async throws(ClientError) -> Bool {
        let reached = Mutex<(first: Int64?, last: Int64)>((nil, 0))
        defer {
            let last = reached.withLock(\.last)
            if last > furthest { (furthest, silence) = (last, nil) }
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value ?? 0
        return try await connection.uploadInParts(asset: digest, from: path, byteCount: size) { byteCount in
            let isFirst = reached.withLock { reached in
                defer { (reached.first, reached.last) = (reached.first ?? byteCount, byteCount) }
                return reached.first == nil
            }
            if isFirst { onStart(byteCount) } else { onSent(byteCount) }
        } onWait: {
            onWait($0)
        }
    }

    /// Reads the file once more.
    /// - Throws: `ClientError` when it is not the one that was to be sent.
    private func requireUnchanged() async throws {
        guard let now = try? await FileDigest.of(path), now.digest == digest else {
            throw ClientError.usage(
                "\(path) was changed while it was sent; send it again once nobody writes to it any more."
            )
        }
    }
}

extension ClientError {
    /// Whether the reason may be that the file is not what it was when it was hashed: it has other bytes, more or fewer.
    fileprivate var mayMeanAChange: Bool {
        switch self {
        case .file: true
        case .problem(let problem): problem.code == "digest_mismatch" || problem.code == "upload_length"
        case .unreachable, .notUnderstood, .usage, .cancelled: false
        }
    }

    /// Whether the upload stands elsewhere than was thought, because another request goes on with it.
    fileprivate var isUploadConflict: Bool {
        guard case .problem(let problem) = self else { return false }
        return problem.status == 409 && problem.code.hasPrefix("upload_")
    }

    /// Whether the coordinator works on the upload at this moment.
    fileprivate var isUploadBusy: Bool {
        if case .problem(let problem) = self { problem.code == "upload_busy" } else { false }
    }

    fileprivate var isDigestMismatch: Bool {
        if case .problem(let problem) = self { problem.code == "digest_mismatch" } else { false }
    }
}
