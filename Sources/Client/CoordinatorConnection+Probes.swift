import CompositionModel
import Curl
import Foundation
package import WireProtocol

// Workers read back and probe what clients sent to the farm's bucket.
extension CoordinatorConnection {
    /// Asks for something to probe, and waits up to `poll.waitMilliseconds` for it.
    /// - Returns: what is to be probed; nil when there was nothing in that time.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 when workers probe nothing there.
    package func probe(_ poll: ProbePoll) async throws(ClientError) -> ProbeGrant? {
        let timeout = Duration.milliseconds(poll.waitMilliseconds) + .seconds(10)
        return try await post("/v1/probes:poll", poll, timeout: timeout, returning: ProbeGrants.self).grant
    }

    /// Renews a grant.
    /// - Returns: the grant with another address.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `lease_lost` when it is no longer this
    ///   worker's.
    package func renew(_ id: ProbeID) async throws(ClientError) -> ProbeGrant {
        try await post("/v1/probes/\(id)/renew", [String: String](), timeout: .seconds(10), returning: ProbeGrant.self)
    }

    /// Says what was found.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `lease_lost` when it is no longer this
    ///   worker's.
    package func complete(_ id: ProbeID, _ record: AssetRecord) async throws(ClientError) {
        try await post("/v1/probes/\(id)/complete", record, timeout: .seconds(60))
    }

    /// Says that nothing was found, and why.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func fail(_ id: ProbeID, _ failure: ProbeFailure) async throws(ClientError) {
        try await post("/v1/probes/\(id)/fail", failure, timeout: .seconds(10))
    }

    /// Reads an object of the farm's bucket from a byte on.
    /// - Parameters:
    ///   - grant: the grant with an address that is not old.
    ///   - offset: the first byte.
    ///   - sink: takes the bytes as they come.
    /// - Throws: ``ClientError`` when the bucket refuses or cannot be reached; what came before stays with the sink.
    package func object(
        of grant: ProbeGrant,
        from offset: Int64,
        into sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws(ClientError) {
        let range = (name: "Range", value: "bytes=\(offset)-\(grant.byteCount - 1)")
        let request = HTTPRequest(.get, grant.address, headers: [range], stallTimeout: .seconds(60))
        let response: HTTPResponse
        do {
            response = try await client.receive(request, into: sink)
        } catch {
            throw ClientError(error, baseURL: "the farm's bucket")
        }
        guard response.status == 206 else {
            throw .unreachable("The farm's bucket answered a range with status \(response.status).")
        }
    }
}
