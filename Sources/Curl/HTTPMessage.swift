package import Foundation

/// One request over HTTP, as ``CurlClient`` sends it.
package struct HTTPRequest: Sendable {
    /// The methods that the API uses.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// What is sent after the headers.
    package enum Body: Sendable {
        /// Nothing is sent after the headers.
        case none
        /// The bytes themselves.
        case data(Data)
        /// A file that is streamed from disk, from a byte on: as many bytes as are said, or nil for all that there are when
        /// the request starts.
        case file(path: String, offset: Int64 = 0, byteCount: Int64? = nil)
    }

    /// The method.
    package var method: Method
    /// The absolute address, http or https.
    package var url: String
    /// The headers, in the order in which they are sent.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: Body
    /// The longest time of the whole transfer; nil waits as long as bytes move.
    package var timeout: Duration?
    /// The time after which a transfer of less than one byte a second is given up.
    package var stallTimeout: Duration
    /// The time in which a byte of the body must move while some are left to send; nil is ``stallTimeout``. It is shorter
    /// where the answer takes long after the last byte.
    package var sendingStallTimeout: Duration?
    /// Called once, with the status and the headers of a success, before the first byte of its body. What it throws ends
    /// the transfer.
    package var onSuccess: (@Sendable (_ status: Int, _ headers: [String: String]) throws -> Void)?
    /// The addresses to which the host's name leads, as text, so that it is not looked up again; nil looks it up.
    package var addresses: [String]?
    /// Takes the bytes of the body that were sent so far, now and then, on a thread that the transfer waits for; nil when
    /// nobody wants to know.
    package var onSent: (@Sendable (_ byteCount: Int64) -> Void)?
    /// Says whether the server's address may be used, before a connection to it is made and before a kept one is used again;
    /// nil accepts every address. It sees the address itself, so that no name that is looked up again leads elsewhere.
    package var acceptsAddress: (@Sendable (NetworkAddress) -> Bool)?

    /// Describes a request; nothing is sent.
    package init(
        _ method: Method,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: Body = .none,
        timeout: Duration? = nil,
        stallTimeout: Duration = .seconds(60)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.stallTimeout = stallTimeout
    }
}

extension HTTPRequest {
    /// The address without its query, which may hold a signature, as errors show it.
    var shownURL: Substring { url.prefix { $0 != "?" } }
}

/// A whole answer over HTTP.
package struct HTTPResponse: Sendable {
    /// The status code, such as 200.
    package let status: Int
    /// The headers by name in lower case; of repeated ones the last.
    package let headers: [String: String]
    /// The body; empty when it went to a sink.
    package let body: Data

    /// Makes an answer of the given values.
    package init(status: Int, headers: [String: String], body: Data) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Whether the status is 200 to 299.
    package var isSuccess: Bool { (200..<300).contains(status) }
}

/// The reason why no whole answer came.
package struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    package enum Code: String, Sendable {
        case unreachable, timedOut, cancelled, bodyTooLarge, protocolError
        /// What answers at the address speaks no TLS, or no version that is understood.
        case tls
        /// The server's certificate is vouched for by nobody that this host trusts, or is for another name.
        case certificate
        /// The bytes that came could not be kept.
        case sinkFailed
        /// The bytes that were to be sent could not be read.
        case bodyFailed
        /// ``HTTPRequest/acceptsAddress`` refused the address of the server.
        case addressRefused
    }

    /// The kind of reason.
    package let code: Code
    /// One sentence for the user.
    package let description: String
}
