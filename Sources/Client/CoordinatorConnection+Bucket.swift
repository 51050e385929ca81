package import CompositionModel
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

// MARK: Assets in parts

extension CoordinatorConnection {
    /// The least bytes of a file that goes to the farm's bucket in parts: a smaller one is sooner an asset when the coordinator
    /// itself takes it.
    package static let leastInParts: Int64 = 8 << 20

    /// Sends an asset to the farm's bucket in parts, where a worker reads it back and probes it. Those that are there, also by an
    /// earlier run, are not sent again.
    /// - Parameters:
    ///   - byteCount: the number of bytes of the file.
    ///   - onSent: takes the number of bytes that are there, at the beginning and then now and then.
    ///   - onWait: takes what it waits for, as a sentence, now and then.
    /// - Returns: whether it is an asset now; else the coordinator takes it.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached, and when the file cannot be read: status 422
    ///   for bytes that are no media or have another digest; 409 `upload_gone` and `upload_incomplete` when it must be begun or
    ///   gone on with once more.
    package func uploadInParts(
        asset digest: ContentDigest,
        from path: String,
        byteCount: Int64,
        onSent: @escaping @Sendable (_ byteCount: Int64) -> Void,
        onWait: (_ sentence: String) -> Void = { _ in }
    ) async throws(ClientError) -> Bool {
        guard byteCount >= Self.leastInParts, !addresses.isPaused else { return false }
        let address = "/v1/assets/\(digest.hex)/parts"
        let upload: PartedUpload
        do throws(ClientError) {
            upload = try await post(address, UploadQuestion(byteCount: byteCount), returning: PartedUpload.self)
        } catch {
            // It has no bucket for this, or is of a version that knows none.
            guard case .problem(let problem) = error, [404, 405].contains(problem.status) else { throw error }
            return false
        }
        do throws(ClientError) {
            return try await send(upload, from: path, byteCount, address, onSent: onSent, onWait: onWait)
        } catch {
            guard case .problem(let problem) = error, [404, 405].contains(problem.status) else { throw error }
            // Another coordinator answers, of a version that knows none of this.
            guard problem.code == "sent_here" else { throw .unreachable("The coordinator does not know the upload.") }
            // No worker could read it.
            addresses.pause()
            return false
        }
    }

    /// Sends the parts that are missing, and waits until it is an asset.
    /// - Returns: whether it is one; else the bucket cannot be reached from here.
    private func send(
        _ upload: PartedUpload,
        from path: String,
        _ byteCount: Int64,
        _ address: String,
        onSent: @escaping @Sendable (_ byteCount: Int64) -> Void,
        onWait: (_ sentence: String) -> Void
    ) async throws(ClientError) -> Bool {
        let (size, arrived) = (upload.partByteCount, Set(upload.arrived))
        guard size > 0 else { throw .notUnderstood("The coordinator named parts without bytes.") }
        let count = Int((byteCount + size - 1) / size)
        func range(_ number: Int) -> Range<Int64> { Int64(number - 1) * size..<min(byteCount, Int64(number) * size) }
        var sent = arrived.reduce(Int64(0)) { (1...count).contains($1) ? $0 + Int64(range($1).count) : $0 }
        onSent(sent)
        for number in 1...count where !arrived.contains(number) {
            let isThere = try await send(number, range(number), of: path, address, isReached: sent > 0) { [sent] in
                onSent(sent + $0)
            }
            guard isThere else { return false }
            sent += Int64(range(number).count)
            onSent(sent)
        }
        while true {
            let arrival = try await post(
                address + "/join",
                [String: String](),
                timeout: .seconds(120),
                returning: UploadArrival.self
            )
            if arrival.record != nil { return true }
            if let waiting = arrival.waiting { onWait(waiting) }
        }
    }

    /// Sends one part.
    /// - Parameter isReached: whether the bucket has taken something from here before: then it is not given up at once.
    /// - Returns: whether the bucket took it; else it cannot be reached from here.
    private func send(
        _ number: Int,
        _ range: Range<Int64>,
        of path: String,
        _ address: String,
        isReached: Bool,
        onSent: @escaping @Sendable (Int64) -> Void
    ) async throws(ClientError) -> Bool {
        guard let digest = await ContentDigest.of(range, of: path) else {
            let sentence = "\(path) cannot be read any more, or became shorter."
            throw .file(Failure(code: "file_failed", message: sentence, isPermanent: false))
        }
        let order = try await post(
            address + "/\(number)/order",
            PartQuestion(digest: digest),
            returning: UploadOrder.self
        )
        let headers = order.headers.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
            .filter { $0.name.lowercased() != "content-length" }
        var request = HTTPRequest(
            .put,
            order.address,
            headers: headers,
            body: .file(path: path, offset: range.lowerBound, byteCount: Int64(range.count))
        )
        request.sendingStallTimeout = .seconds(45)
        let hasReached = Mutex(isReached)
        request.onSent = { byteCount in
            // Fewer may lie in a buffer of this machine.
            if byteCount >= 4 << 20 { hasReached.withLock { $0 = true } }
            onSent(byteCount)
        }
        let broken: String
        do {
            let response = try await client.send(request)
            if response.isSuccess { return true }
            // The file was changed since the part was hashed, the service has a bad moment, or another one answers in its place.
            broken = "answered with status \(response.status)"
            if !isReached { hasReached.withLock { $0 = false } }
        } catch {
            if (error as? HTTPError)?.code == .cancelled { throw .cancelled }
            broken = "cannot be reached (\(error))"
        }
        guard hasReached.withLock(\.self) else {
            addresses.pause()
            return false
        }
        throw .unreachable("The farm's bucket \(broken) for part \(number) of \(path).")
    }
}

extension ContentDigest {
    /// The SHA-256 of a range of a file; nil when it cannot be read, or is shorter. It is read on a thread of its own.
    fileprivate static func of(_ range: Range<Int64>, of path: String) async -> ContentDigest? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: read(range, of: path)) }
        }
    }

    private static func read(_ range: Range<Int64>, of path: String) -> ContentDigest? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: UInt64(range.lowerBound))) != nil else { return nil }
        var hasher = ContentHasher()
        while hasher.byteCount < range.count {
            let count = min(1 << 20, Int(Int64(range.count) - hasher.byteCount))
            guard let data = try? file.read(upToCount: count), !data.isEmpty else { return nil }
            data.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }
        return hasher.finalize()
    }
}
