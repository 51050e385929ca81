import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import WireProtocol

/// Brings the assets of an edit to a coordinator, each only once.
struct AssetDelivery: Sendable {
    let connection: CoordinatorConnection
    let ledger: AssetLedger
    /// Whether the coordinator sees the same files; they are then registered in place instead of uploaded.
    let sharesHost: Bool
    /// The number of files that are hashed, and then sent, at a time.
    var parallelCount = 4
    /// Called before work that may take long: hashing large files, writing pictures, samples and speech as files, sending, and
    /// waiting for what the coordinator fetches.
    var onWork: @Sendable () -> Void = {}
    /// The assets that are known to be there.
    private let known = KnownAssets()

    init(connection: CoordinatorConnection, ledger: AssetLedger, sharesHost: Bool) {
        (self.connection, self.ledger, self.sharesHost) = (connection, ledger, sharesHost)
    }

    /// The outcome for the assets of one edit.
    struct Delivered: Sendable {
        /// The digests of the assets that the coordinator has, by name.
        var digests: [String: ContentDigest] = [:]
        /// The assets that are no media the farm could use, by name.
        var unusable: [String: UnusableAsset] = [:]

        /// Notes an error that is the asset's own.
        /// - Throws: Any other error, with the asset's name where it is a conflict.
        fileprivate mutating func note(_ error: ClientError, _ name: String) throws(ClientError) {
            switch error {
            case .usage(let sentence): unusable[name] = UnusableAsset(.unreadable, sentence)
            case .problem(let problem) where problem.status == 422:
                unusable[name] = UnusableAsset(.unreadable, problem.detail)
            default: throw error.naming(asset: name)
            }
        }
    }

    /// Makes every usable asset known to the coordinator.
    /// - Throws: `ClientError` for a fault that is not an asset's own.
    func deliver(_ assets: [String: AssetSource]) async throws(ClientError) -> Delivered {
        var delivered = Delivered()
        var files: [String: String] = [:]
        let fetched = FetchedSources(connection: connection, parallelCount: parallelCount)
        let remote = try await fetched.ask(for: assets)
        for (name, source) in assets.sorted(by: { $0.key < $1.key }) {
            if let refusal = source.refusal {
                delivered.unusable[name] = refusal
                continue
            }
            if case .url = source { continue }
            do {
                switch try await take(source) {
                case .delivered(let digest): delivered.digests[name] = digest
                case .file(let path): files[name] = path
                }
            } catch {
                try delivered.note(error, name)
            }
        }
        let found = try await digests(of: Set(files.values))
        for (name, path) in files.sorted(by: { $0.key < $1.key }) {
            do {
                delivered.digests[name] = try found[path]?.get()
            } catch {
                try delivered.note(error, name)
            }
        }
        let paths = Dictionary(found.compactMap { path, digest in (try? digest.get()).map { ($0, path) } }) {
            min($0, $1)
        }
        for (digest, error) in try await send(paths) {
            for (name, _) in files where delivered.digests[name] == digest {
                delivered.digests[name] = nil
                try delivered.note(error, name)
            }
        }
        if !remote.isEmpty { onWork() }
        // The coordinator fetches while files are sent.
        for (name, result) in try await fetched.wait(for: remote) {
            do {
                delivered.digests[name] = try result.get()
            } catch {
                try delivered.note(error, name)
            }
        }
        return delivered
    }

    /// Asks for assets again at the next delivery, because the coordinator says that it lacks them.
    func forget(_ missing: [ContentDigest]) { known.remove(missing) }

    /// The state of an asset that was taken.
    private enum Taken {
        /// The coordinator has it.
        case delivered(ContentDigest)
        /// It is this file, which is to be sent.
        case file(String)
    }

    private func take(_ source: AssetSource) async throws(ClientError) -> Taken {
        switch source {
        case .digest(let digest): return .delivered(digest)
        case .generated(let picture): return .delivered(try await upload(generated: picture.bytes))
        case .generatedSound(let sound): return .delivered(try await upload(generated: sound.bytes))
        case .edit(let file, _): throw .usage("The edit \(file) is no file of media.")
        case .url(let remote): throw .usage("The address \(remote.address) is no file of this machine.")
        case .path(let path) where sharesHost: return .delivered(try await connection.register(path: path).digest)
        case .path: return .file(try await file(for: source))
        case .raw, .sequence, .speech:
            // It may have to be written first.
            onWork()
            return .file(try await file(for: source))
        }
    }

    private func file(for source: AssetSource) async throws(ClientError) -> String {
        do {
            if let path = try await ledger.file(for: source) { return path }
        } catch {
            throw .usage("\(error)")
        }
        throw .usage("The asset is no file of media.")
    }

    /// The digests of files, or why they cannot be read.
    private func digests(
        of paths: Set<String>
    ) async throws(ClientError) -> [String: Result<ContentDigest, ClientError>] {
        let paths = paths.sorted()
        let found = try await ParallelWork(limit: parallelCount).run(paths) {
            [ledger, onWork] path -> Result<ContentDigest, ClientError> in
            do {
                return .success(try await ledger.digest(of: path, onLongHashing: onWork))
            } catch {
                return .failure(.usage("\(error)"))
            }
        }
        return Dictionary(zip(paths, found)) { first, _ in first }
    }

    /// Sends the files that the coordinator does not have.
    /// - Returns: The errors that are a file's own, by its digest.
    private func send(_ paths: [ContentDigest: String]) async throws(ClientError) -> [(ContentDigest, ClientError)] {
        let work = ParallelWork(limit: parallelCount)
        let files = paths.sorted { $0.value < $1.value }
        let found = try await work.run(files) { [known, connection] file in
            try await known.contains(file.key, on: connection)
        }
        let missing = zip(files, found).compactMap { file, isKnown in
            isKnown ? nil : AssetUpload(connection: connection, digest: file.key, path: file.value)
        }
        guard !missing.isEmpty else { return [] }
        onWork()
        let progress = UploadProgress(
            missing.map { UploadTally.File(path: $0.path, byteCount: Self.byteCount(of: $0.path)) }
        )
        defer { progress.end() }
        do {
            let refusals = try await work.run(Array(missing.indices)) { [known] index in
                let refusal = try await Self.send(missing[index], index, progress)
                if refusal == nil { known.insert(missing[index].digest) }
                return refusal
            }
            return zip(missing, refusals).compactMap { upload, refusal in refusal.map { (upload.digest, $0) } }
        } catch {
            if Task.isCancelled, progress.hasSent {
                progress.end()
                Console.error("The farm keeps for a while what was sent; the same command sends the rest.")
            }
            throw error
        }
    }

    /// Sends one file.
    /// - Returns: The error that is the file's own; nil when the coordinator has it.
    private static func send(
        _ upload: AssetUpload,
        _ index: Int,
        _ progress: UploadProgress
    ) async throws -> ClientError? {
        do {
            try await upload.run {
                progress.start($0, of: index)
            } onSent: {
                progress.note($0, of: index)
            } onRetry: {
                progress.waits($0)
            } onWait: {
                progress.waits(for: $0)
            }
        } catch let error as ClientError where error.isOfTheFile {
            return error
        }
        progress.finish(index)
        return nil
    }

    private static func byteCount(of path: String) -> Int64 {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Sends a generated picture or sound. It is short and nobody else's file, so it is sent also to a coordinator that
    /// sees the same files.
    private func upload(generated bytes: Data) async throws(ClientError) -> ContentDigest {
        let digest = ContentDigest(of: bytes)
        if try await known.contains(digest, on: connection) { return digest }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cutfarm-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try bytes.write(to: file)
        } catch {
            throw .usage("A generated asset cannot be written to \(file.path): \(error.localizedDescription)")
        }
        try await connection.upload(asset: digest, from: file.path)
        return digest
    }
}

extension ClientError {
    /// Whether the file is at fault, and others may still be taken.
    var isOfTheFile: Bool {
        switch self {
        case .usage: true
        case .problem(let problem): problem.status == 422
        case .unreachable, .notUnderstood, .cancelled, .file: false
        }
    }

    /// Adds the name of the asset to a conflict; other errors stay as they are.
    func naming(asset name: String) -> ClientError {
        guard case .problem(var problem) = self, problem.status == 409 else { return self }
        problem.detail = "Asset “\(name)”: \(problem.detail)"
        return .problem(problem)
    }
}
