import Curl
import Farm
import Foundation
import Synchronization
import WireProtocol

/// Fetches a file from a web server, by ranges where a part of it is here (RFC 9110 §13 and §14).
struct WebTransfer: Sendable {
    let client: CurlClient
    let allowed: SourceAllowList

    /// The most redirects that are followed, each of which must lead to an allowed address.
    private static let mostRedirects = 5

    /// Fetches what is not here yet.
    /// - Parameters:
    ///   - known: what the file was like when it was last fetched as a whole; nil when it was not.
    ///   - partial: what the file was like of which some bytes are here.
    /// - Returns: whether it is still the `known` one, so that nothing came.
    /// - Throws: ``SourceFault``; what a transfer throws.
    func fetch(
        _ address: SourceAddress,
        into draft: SourceDraft,
        known: SourceFacts?,
        partial: SourceFacts?
    ) async throws -> Bool {
        let offset = try await blocking { try draft.resume(partial) }
        // All of it came, and only the end of the last attempt is missing.
        if offset > 0, offset == partial?.byteCount { return false }
        var target = address
        for _ in 0...Self.mostRedirects {
            let answer = try await ask(target, draft, offset, known: known, tag: partial?.entityTag)
            switch answer.status {
            case 200...299: return false
            case 304 where known != nil: return true
            case 416 where offset > 0: throw SourceFault.changed(address.shown)
            case 301, 302, 303, 307, 308:
                guard let location = answer.headers["location"] else {
                    throw SourceFault(status: answer.status, of: target.shown)
                }
                target = try target.following(location)
                try check(target, from: address)
            default: throw SourceFault(status: answer.status, of: address.shown)
            }
        }
        throw SourceFault("source_refused", "\(address.shown) leads from one address to another without end.")
    }

    private func ask(
        _ address: SourceAddress,
        _ draft: SourceDraft,
        _ offset: Int64,
        known: SourceFacts?,
        tag: String?
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(.get, address.text)
        if offset > 0, let tag {
            request.headers = [("Range", "bytes=\(offset)-"), ("If-Range", tag)]
        } else if let tag = known?.entityTag {
            request.headers = [("If-None-Match", tag)]
        }
        request.acceptsAddress = { [allowed] in allowed.allows($0) }
        let fault = Mutex<(any Error & Sendable)?>(nil)
        @Sendable func noting(_ body: () throws -> Void) throws {
            do { try body() } catch {
                fault.withLock { $0 = error }
                throw error
            }
        }
        request.onSuccess = { status, headers in
            try noting { try Self.begin(draft, status, headers, offset, of: address.shown) }
        }
        do {
            return try await client.receive(request) { bytes in try noting { try draft.append(bytes) } }
        } catch {
            throw fault.withLock { $0 } ?? error
        }
    }

    /// Tells the draft what comes.
    private static func begin(
        _ draft: SourceDraft,
        _ status: Int,
        _ headers: [String: String],
        _ offset: Int64,
        of address: String
    ) throws {
        guard ["identity", nil].contains(headers["content-encoding"]?.lowercased()) else {
            throw SourceFault("source_refused", "The server of \(address) sends it compressed.")
        }
        // A weak tag may stay when bytes change (RFC 9110 §8.8.1).
        let tag = headers["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
        switch status {
        case 200:
            let byteCount = headers["content-length"].flatMap { Int64($0) }
            try draft.begin(SourceFacts(byteCount: byteCount, entityTag: tag), at: 0)
        case 206:
            guard let range = headers["content-range"]?.wholeMatch(of: /bytes ([0-9]+)-[0-9]+\/([0-9]+)/),
                Int64(range.1) == offset, offset > 0, let byteCount = Int64(range.2)
            else {
                throw SourceFault("source_refused", "The server of \(address) sends other bytes than it was asked for.")
            }
            let tag = tag ?? draft.progress.facts?.entityTag
            try draft.begin(SourceFacts(byteCount: byteCount, entityTag: tag), at: offset)
        default: throw SourceFault(status: status, of: address)
        }
    }

    private func check(_ target: SourceAddress, from address: SourceAddress) throws {
        guard target.scheme != .s3, allowed.allows(target) else {
            throw SourceFault(
                "source_not_allowed",
                "\(address.shown) leads to \(target.scheme.rawValue)://\(target.host)\(target.path), which is not allowed."
            )
        }
    }
}
