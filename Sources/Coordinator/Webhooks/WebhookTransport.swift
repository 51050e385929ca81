import Curl
import Farm
import Foundation
import Threads
import WireProtocol

/// Sends one message to its receiver.
struct WebhookTransport: Sendable {
    /// Resolves a host's name to addresses.
    typealias Resolver = @Sendable (_ host: String) async throws -> [String]

    /// The most bytes of an answer that are read.
    static let largestAnswer = 64 << 10

    let allowed: WebhookAllowList
    let resolve: Resolver
    /// The time that an attempt may take once the host's addresses are known.
    var timeout: Duration = .seconds(15)

    /// Sends a message and says what came of it. No redirect is followed.
    func send(_ delivery: ClaimedDelivery) async -> WebhookOutcome {
        if let complaint = allowed.complaint(about: delivery.url) { return Self.failed(complaint) }
        guard let host = URLComponents(string: delivery.url).flatMap(WebhookAllowList.host) else {
            return Self.failed("The address has no host.")
        }
        do {
            let addresses = NetworkAddress(host) == nil ? try await resolve(host) : [host]
            guard !addresses.isEmpty else { return Self.failed("\(host) has no address.") }
            let client = CurlClient(largestIdle: 0)
            return Self.outcome(try await client.send(request(delivery, host, addresses), limit: Self.largestAnswer))
        } catch let error as HTTPError {
            return Self.failed(error.description)
        } catch {
            return Self.failed("\(host) cannot be looked up: \(error)")
        }
    }

    private func request(_ delivery: ClaimedDelivery, _ host: String, _ addresses: [String]) -> HTTPRequest {
        let seconds = delivery.now.milliseconds / 1000
        let signature = WebhookSignature.header(
            delivery.id,
            seconds: seconds,
            body: delivery.body,
            secrets: delivery.secrets
        )
        var request = HTTPRequest(
            .post,
            delivery.url,
            headers: [
                (name: "Content-Type", value: "application/json"), (name: "User-Agent", value: "cutfarm-webhooks"),
                (name: "webhook-id", value: "\(delivery.id)"), (name: "webhook-timestamp", value: "\(seconds)"),
                (name: "webhook-signature", value: signature),
            ],
            body: .data(Data(delivery.body.utf8)),
            timeout: timeout,
            stallTimeout: timeout
        )
        request.addresses = addresses
        request.acceptsAddress = { [allowed] address in allowed.allows(address, of: host) }
        return request
    }

    private static func outcome(_ response: HTTPResponse) -> WebhookOutcome {
        switch response.status {
        case 200..<300: .delivered(status: response.status)
        case 300..<400:
            .failed(status: response.status, reason: "It redirects, which is not followed.", isFinal: false)
        case 410: .failed(status: 410, reason: "The receiver is gone (410).", isFinal: true)
        default:
            .failed(status: response.status, reason: "It answered with status \(response.status).", isFinal: false)
        }
    }

    private static func failed(_ reason: String) -> WebhookOutcome {
        .failed(status: nil, reason: String(reason.prefix(500)), isFinal: false)
    }
}

/// The system's resolver.
package enum SystemResolver {
    private struct Unresolved: Error, CustomStringConvertible { let description: String }

    /// The addresses of a name (getaddrinfo(3)), in the order of their use.
    package static func addresses(of host: String) async throws -> [String] {
        try await blocking {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var list: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, nil, &hints, &list)
            guard code == 0 else { throw Unresolved(description: String(cString: gai_strerror(code))) }
            defer { freeaddrinfo(list) }
            var found: [String] = []
            var next = list
            while let entry = next {
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                let (address, length) = (entry.pointee.ai_addr, entry.pointee.ai_addrlen)
                if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                    found.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
                }
                next = entry.pointee.ai_next
            }
            return found
        }
    }
}
