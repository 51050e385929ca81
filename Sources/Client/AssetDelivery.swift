import Foundation
public import Shared

/// Brings the assets of an edit to a coordinator, each only once.
public struct AssetDelivery: Sendable {
    let connection: CoordinatorConnection
    let ledger: AssetLedger
    /// The coordinator sees the same files: they are registered where they lie instead of sent.
    let sharesHost: Bool

    public init(connection: CoordinatorConnection, ledger: AssetLedger, sharesHost: Bool) {
        self.connection = connection
        self.ledger = ledger
        self.sharesHost = sharesHost
    }

    /// What became of an edit's assets.
    public struct Delivered: Sendable {
        /// Name → digest of what the coordinator has.
        public var digests: [String: ContentDigest] = [:]
        /// By name, what is no media that the farm could use.
        public var unusable: [String: UnusableAsset] = [:]
    }

    /// Makes every asset known to the coordinator, as far as it can be used.
    /// - Throws: ``ClientError`` for what is not an asset's own fault.
    public func deliver(_ assets: [String: AssetSource]) async throws(ClientError) -> Delivered {
        var delivered = Delivered()
        for (name, source) in assets.sorted(by: { $0.key < $1.key }) {
            if let refusal = AssetDelivery.refusal(of: source) {
                delivered.unusable[name] = refusal
                continue
            }
            do {
                delivered.digests[name] = try await deliver(source)
            } catch .usage(let sentence) {
                delivered.unusable[name] = UnusableAsset(.unreadable, sentence)
            } catch .problem(let problem) where problem.status == 422 {
                delivered.unusable[name] = UnusableAsset(.unreadable, problem.detail)
            } catch {
                throw error.naming(asset: name)
            }
        }
        return delivered
    }

    private func deliver(_ source: AssetSource) async throws(ClientError) -> ContentDigest {
        switch source {
        case .digest(let digest): return digest
        case .generated(let picture): return try await upload(picture)
        case .raw(let path, let format): return try await upload(movie(ofRaw: path, format))
        case .edit(let file, _): throw .usage("The edit \(file) is no file of media.")
        case .sequence(let pattern, let rate): return try await upload(movie(of: pattern, at: rate))
        case .url(let address): throw .usage("The address \(address) cannot be taken in.")
        case .path(let path):
            if sharesHost { return try await connection.register(path: path).digest }
            return try await upload(path)
        }
    }

    private func upload(_ path: String) async throws(ClientError) -> ContentDigest {
        let digest: ContentDigest
        do {
            digest = try await ledger.digest(of: path)
        } catch {
            throw .usage("\(error)")
        }
        if try await !connection.hasAsset(digest) { try await connection.upload(asset: digest, from: path) }
        return digest
    }

    private func movie(of pattern: String, at rate: FrameRate) async throws(ClientError) -> String {
        do {
            return try await ledger.movie(of: pattern, at: rate)
        } catch {
            throw .usage("\(error)")
        }
    }

    private func movie(ofRaw path: String, _ format: RawFormat) async throws(ClientError) -> String {
        do {
            return try await ledger.movie(ofRaw: path, format)
        } catch {
            throw .usage("\(error)")
        }
    }

    /// Its file is short and nobody else's: it is sent also where the coordinator sees the same files.
    private func upload(_ picture: GeneratedPicture) async throws(ClientError) -> ContentDigest {
        let digest = picture.digest
        if try await connection.hasAsset(digest) { return digest }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cutfarm-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try picture.bytes.write(to: file)
        } catch {
            throw .usage("A generated picture cannot be written to \(file.path): \(error.localizedDescription)")
        }
        try await connection.upload(asset: digest, from: file.path)
        return digest
    }

    /// What shows without a byte being read or sent that assets cannot be used, by name.
    public static func refusals(of assets: [String: AssetSource]) -> [String: UnusableAsset] {
        assets.compactMapValues(refusal)
    }

    /// - Returns: nil for a file that is there, whatever is in it, and for a digest.
    public static func refusal(of source: AssetSource) -> UnusableAsset? {
        switch source {
        case .digest, .generated, .sequence, .edit: return nil
        case .url(let address):
            let way = "download it and name the file"
            return UnusableAsset(.unsupported, "the address \(address) cannot be taken in by this version; \(way)")
        case .path(let path), .raw(let path, _):
            var about = stat()
            guard stat(path, &about) == 0 else {
                return UnusableAsset(.missing, "the file \(path) does not exist; correct the path")
            }
            guard about.st_mode & S_IFMT == S_IFREG else {
                return UnusableAsset(.unreadable, "\(path) is no regular file; name a media file")
            }
            return about.st_size > 0 ? nil : UnusableAsset(.unreadable, "the file \(path) is empty")
        }
    }
}

extension ClientError {
    /// The same, saying which asset of the edit it is about.
    func naming(asset name: String) -> ClientError {
        guard case .problem(var problem) = self, problem.status == 409 else { return self }
        problem.detail = "Asset “\(name)”: \(problem.detail)"
        return .problem(problem)
    }
}
