import Client
import CompositionModel
import EditLanguage
import Farm
import WireProtocol

/// Has a coordinator fetch the assets of an edit that lie elsewhere, and waits until it has them. What is fetched goes on
/// without this command; the same command asks for the same again.
struct FetchedSources: Sendable {
    let connection: CoordinatorConnection
    /// The number of questions at a time.
    let parallelCount: Int

    /// What an asset's source is, or why it is refused.
    typealias Asked = (name: String, source: Result<SourceView, ClientError>)

    /// Asks for the assets that are named by their addresses.
    /// - Throws: `ClientError` for a fault that is not an asset's own.
    func ask(for assets: [String: AssetSource]) async throws(ClientError) -> [Asked] {
        var asked: [Asked] = []
        for (name, source) in assets.sorted(by: { $0.key < $1.key }) {
            guard case .url(let remote) = source else { continue }
            let order = SourceOrder(
                address: remote.address,
                digest: remote.digest,
                entityTag: remote.entityTag,
                version: remote.version
            )
            do {
                asked.append((name, .success(try await connection.ask(for: order))))
            } catch {
                guard error.isOfTheFile else { throw error.naming(asset: name) }
                asked.append((name, .failure(error)))
            }
        }
        return asked
    }

    /// Waits until each of them is an asset, or cannot be had, and says on standard error what is waited for.
    /// - Returns: by the asset's name the digest, or why it cannot be had.
    /// - Throws: `ClientError` for a fault that is not an asset's own.
    func wait(for asked: [Asked]) async throws(ClientError) -> [(String, Result<ContentDigest, ClientError>)] {
        var results: [(String, Result<ContentDigest, ClientError>)] = []
        for (name, source) in asked {
            do {
                results.append((name, .success(try await digest(of: source.get(), name))))
            } catch {
                guard error.isOfTheFile else { throw error.naming(asset: name) }
                results.append((name, .failure(error)))
            }
        }
        return results
    }

    private func digest(of source: SourceView, _ name: String) async throws(ClientError) -> ContentDigest {
        var (source, told) = (source, "")
        while true {
            switch source.state {
            case .ready:
                if let asset = source.asset { return asset }
                throw .notUnderstood("The coordinator has fetched \(source.address) and does not say what it is.")
            case .failed: throw .usage(source.failure?.message ?? "\(source.address) cannot be had.")
            case .waiting, .fetching: break
            }
            let sentence = Self.sentence(source, name)
            if sentence != told {
                Console.error(sentence)
                told = sentence
            }
            do {
                try await connection.clock.sleep(for: .seconds(1))
                source = try await RetrySchedule.farm(for: .seconds(60)).run(on: connection.clock) {
                    try await connection.source(source.id)
                }
            } catch let error as ClientError {
                throw error
            } catch {
                throw .cancelled
            }
        }
    }

    /// The sentence says more only when another tenth has come, so that a log is not filled with it.
    private static func sentence(_ source: SourceView, _ name: String) -> String {
        let what = "The coordinator fetches “\(name)” from \(source.address)"
        if let reason = source.waiting { return "\(what), and tries again soon: \(reason)" }
        guard source.receivedByteCount > 0, let whole = source.byteCount, whole > 0 else { return what + "." }
        return "\(what): \(source.receivedByteCount * 10 / whole * 10) % are there."
    }
}
