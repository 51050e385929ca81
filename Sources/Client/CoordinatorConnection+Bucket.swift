import CompositionModel
import Curl
import Foundation
import Synchronization
import WireProtocol

// Where a farm keeps its artifacts in a bucket, media goes between it and whoever asks: the coordinator answers with an
// address that is signed for a while. Whoever cannot reach the bucket is answered with the bytes.
extension CoordinatorConnection {
    /// Says that a redirection to the farm's bucket is followed.
    static let follows = (name: "Accept", value: "application/vnd.cutfarm.address, */*")

    /// Sends a request that follows a redirection to the farm's bucket, without the token. When nothing comes from there,
    /// the coordinator is asked for the bytes.
    func following(
        _ request: HTTPRequest,
        _ send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard !addresses.isPaused else { return try await withNewestToken(request, send) }
        let own = request.headers
        var asking = request
        asking.headers.append(Self.follows)
        let answer = try await withNewestToken(asking, send)
        guard answer.status == 307, let address = answer.headers["location"] else { return answer }
        let begun = Mutex(false)
        var there = HTTPRequest(
            .get,
            address,
            headers: own.filter { $0.name == "Range" },
            timeout: request.timeout,
            stallTimeout: request.stallTimeout
        )
        there.onSuccess = { [onSuccess = request.onSuccess] status, headers in
            begun.withLock { $0 = true }
            try onSuccess?(status, headers)
        }
        do {
            let response = try await send(there)
            if response.isSuccess { return response }
        } catch {
            // What was given away already must not come twice; the caller goes on where it was.
            if begun.withLock(\.self) || (error as? HTTPError)?.code == .cancelled { throw error }
            addresses.pause()
        }
        return try await withNewestToken(request, send)
    }

    /// The coordinator's answer to a request for bytes of an asset; nil when it named an address in the farm's bucket, which
    /// is known from then on.
    func answerOrAddress(_ request: HTTPRequest, of digest: ContentDigest) async throws(ClientError) -> HTTPResponse? {
        var asking = request
        if !addresses.isPaused { asking.headers.append(Self.follows) }
        let response: HTTPResponse
        do {
            response = try await withNewestToken(asking) { try await client.send($0) }
        } catch {
            throw ClientError(error, baseURL: baseURL)
        }
        guard response.status == 307, let address = response.headers["location"] else { return try accept(response) }
        addresses.remember(address, of: digest)
        return nil
    }

    /// Bytes of an asset from the farm's bucket; nil when no address is known there, or nothing whole comes from it.
    func blockElsewhere(_ range: Range<Int64>, of digest: ContentDigest) async throws(ClientError) -> Data? {
        guard let address = addresses.address(of: digest) else { return nil }
        let header = (name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        let request = HTTPRequest(.get, address, headers: [header], timeout: .seconds(120))
        do {
            let response = try await client.send(request)
            if response.status == 206, response.body.count == range.count { return response.body }
        } catch {
            if (error as? HTTPError)?.code == .cancelled { throw .cancelled }
            addresses.pause()
        }
        addresses.remember(nil, of: digest)
        return nil
    }

    /// Sends an artifact to the farm's bucket, if there is one that takes it from here.
    /// - Returns: whether it is there now; else the coordinator takes it.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    func uploadElsewhere(_ digest: ContentDigest, from path: String) async throws(ClientError) -> Bool {
        guard !addresses.isPaused,
            let byteCount = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int64
        else {
            return false
        }
        let order: UploadOrder
        do throws(ClientError) {
            order = try await post(
                "/v1/artifacts/\(digest.hex)/order",
                UploadQuestion(byteCount: byteCount),
                returning: UploadOrder.self
            )
        } catch {
            switch error {
            // It has no bucket for this, is of a version that knows none, or has a fault of which it tells when the bytes come.
            case .problem, .notUnderstood: return false
            case .unreachable, .usage, .cancelled, .file: throw error
            }
        }
        let headers = order.headers.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
        let request = HTTPRequest(.put, order.address, headers: headers, body: .file(path: path))
        do {
            guard try await client.send(request).isSuccess else { return false }
        } catch {
            if (error as? HTTPError)?.code == .cancelled { throw .cancelled }
            addresses.pause()
            return false
        }
        do throws(ClientError) {
            let notice = UploadNotice(object: order.object, byteCount: byteCount)
            try await post("/v1/artifacts/\(digest.hex)/stored", notice)
            return true
        } catch {
            // The service took it and has it not: the coordinator takes it.
            guard case .problem(let problem) = error, problem.code == "object_missing" else { throw error }
            return false
        }
    }
}
