package import Curl
import Digests
package import Farm
package import Foundation
import Synchronization
import Threads

/// A bucket of an S3 service. Requests that failed in passing are sent again, with pauses; each request is signed anew, with
/// the digest of its body. It may be shared.
package struct Bucket: Sendable {
    /// Where the bucket is.
    package let location: BucketLocation
    let credentials: BucketCredentials
    /// The times at which a request that failed in passing is sent again.
    package var retrying = RetrySchedule(firstPause: .milliseconds(200), longestPause: .seconds(10), attempts: 7)
    /// The time without a byte after which a request has failed.
    package var stallTimeout = Duration.seconds(30)
    /// Says whether the service's address may be used; nil accepts every one.
    package var acceptsAddress: (@Sendable (NetworkAddress) -> Bool)?
    private let client: CurlClient
    private let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Names a bucket and the keys to it; nothing is sent.
    /// - Parameters:
    ///   - clock: the clock of the pauses before requests are sent again.
    ///   - now: the time of day, which is signed.
    package init(
        _ location: BucketLocation,
        _ credentials: BucketCredentials,
        client: CurlClient = CurlClient(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.location, self.credentials, self.client, self.clock, self.now) = (
            location, credentials, client, clock, now
        )
    }

    /// What is sent behind the headers.
    package enum Body: Sendable {
        /// The bytes themselves.
        case data(Data)
        /// Bytes of a file, which must not change meanwhile.
        case file(path: String, range: Range<Int64>)
    }

    typealias Sink = @Sendable (UnsafeRawBufferPointer) throws -> Void

    /// Sends a request until it is answered for good.
    /// - Parameters:
    ///   - doing: the beginning of an error's sentence, such as `reading`.
    ///   - digest: the SHA-256 of the body that is signed, as 64 digits; nil is that of `body`.
    ///   - sink: takes the body of a success, piece by piece; a request whose answer has begun is not sent again.
    /// - Throws: ``BucketError``, also for an answer that is no success.
    func send(
        _ method: HTTPRequest.Method,
        _ key: String,
        _ doing: String,
        query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [],
        body: Body? = nil,
        signedAs digest: String? = nil,
        sink: Sink? = nil
    ) async throws(BucketError) -> HTTPResponse {
        let what =
            "\(doing) \(key.isEmpty ? "the bucket \(location.bucket)" : "\(key) in the bucket \(location.bucket)")"
        let payload: String
        if let digest { payload = digest } else { payload = try await self.digest(of: body, what) }
        let begun = Begun()
        do {
            return try await retrying.run(on: clock) { (error: BucketError) in
                error.isTransient && !begun.value.withLock(\.self)
            } _: { () throws(BucketError) in
                try await attempt(method, key, what, query, headers, body, payload, sink, begun)
            }
        } catch let error as BucketError {
            throw error
        } catch {
            throw BucketError(error, what)
        }
    }

    private func attempt(
        _ method: HTTPRequest.Method,
        _ key: String,
        _ what: String,
        _ query: [(name: String, value: String)],
        _ headers: [(name: String, value: String)],
        _ body: Body?,
        _ payload: String,
        _ sink: Sink?,
        _ begun: Begun
    ) async throws(BucketError) -> HTTPResponse {
        let signature = self.signature(method, key, query: query, headers: headers)
        var request = HTTPRequest(method, signature.address, headers: signature.signedHeaders(payload: payload))
        request.acceptsAddress = acceptsAddress
        request.stallTimeout = stallTimeout
        switch body {
        case nil: break
        case .data(let data): request.body = .data(data)
        case .file(let path, let range):
            request.body = .file(path: path, offset: range.lowerBound, byteCount: range.upperBound - range.lowerBound)
        }
        let response: HTTPResponse
        do {
            if let sink {
                request.onSuccess = { _, _ in begun.value.withLock { $0 = true } }
                response = try await client.receive(request, into: sink)
            } else {
                response = try await client.send(request, limit: 64 << 20)
            }
        } catch {
            throw BucketError(error, what)
        }
        guard response.isSuccess else { throw BucketError(response, what, now: now()) }
        return response
    }

    func signature(
        _ method: HTTPRequest.Method,
        _ key: String,
        query: [(name: String, value: String)],
        headers: [(name: String, value: String)]
    ) -> RequestSignature {
        RequestSignature(
            method: method.rawValue,
            location: location,
            key: key,
            query: query,
            headers: headers,
            credentials: credentials,
            date: now()
        )
    }

    /// The SHA-256 of a body as 64 digits.
    private func digest(of body: Body?, _ what: String) async throws(BucketError) -> String {
        switch body {
        case nil: return SHA256.hash(Data()).hexText
        case .data(let data): return SHA256.hash(data).hexText
        case .file(let path, let range):
            return try await DedicatedThread.run { () throws(BucketError) in
                guard let digest = Self.digest(of: path, range) else {
                    throw BucketError(.file, "\(what): \(path) cannot be read, or became shorter.")
                }
                return digest
            }
        }
    }

    private static func digest(of path: String, _ range: Range<Int64>) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), (try? file.seek(toOffset: UInt64(range.lowerBound))) != nil
        else { return nil }
        var (hash, left) = (SHA256(), range.upperBound - range.lowerBound)
        while left > 0 {
            guard let piece = try? file.read(upToCount: Int(min(left, 1 << 20))), !piece.isEmpty else { return nil }
            hash.update(piece)
            left -= Int64(piece.count)
        }
        return hash.digest().hexText
    }
}
