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

    /// Makes every asset known to the coordinator.
    /// - Returns: name → digest.
    /// - Throws: ``ClientError``; of assets that are no usable media the coordinator's sentence, with the asset's name.
    public func deliver(_ assets: [String: AssetSource]) async throws(ClientError) -> [String: ContentDigest] {
        var digests: [String: ContentDigest] = [:]
        for (name, source) in assets.sorted(by: { $0.key < $1.key }) {
            do {
                digests[name] = try await deliver(source)
            } catch {
                throw error.naming(asset: name)
            }
        }
        return digests
    }

    private func deliver(_ source: AssetSource) async throws(ClientError) -> ContentDigest {
        switch source {
        case .digest(let digest): return digest
        case .url(let address):
            throw .usage("The address \(address) cannot be taken in by this version; download it and name the file.")
        case .path(let path):
            try AssetDelivery.checkFile(path)
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

    /// - Throws: ``ClientError`` for the first asset that names no file, with its name; nothing is sent or read.
    public static func checkFiles(_ assets: [String: AssetSource]) throws(ClientError) {
        for (name, source) in assets.sorted(by: { $0.key < $1.key }) {
            guard case .path(let path) = source else { continue }
            do {
                try checkFile(path)
            } catch {
                throw error.naming(asset: name)
            }
        }
    }

    private static func checkFile(_ path: String) throws(ClientError) {
        guard let kind = kind(of: path) else { throw .usage("The file \(path) does not exist; correct the path.") }
        guard kind == S_IFREG else { throw .usage("\(path) is no regular file; name a media file.") }
    }

    private static func kind(of path: String) -> mode_t? {
        var about = stat()
        return stat(path, &about) == 0 ? about.st_mode & S_IFMT : nil
    }
}

extension ClientError {
    /// The same, saying which asset of the edit it is about.
    func naming(asset name: String) -> ClientError {
        switch self {
        case .usage(let sentence): return .usage("Asset “\(name)”: \(sentence)")
        case .problem(var problem) where problem.status == 422 || problem.status == 409:
            problem.detail = "Asset “\(name)”: \(problem.detail)"
            return .problem(problem)
        default: return self
        }
    }
}
