public import Foundation

/// One request over HTTP, as ``CurlClient`` sends it.
public struct HTTPRequest: Sendable {
    /// The methods that the API uses.
    public enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What is sent after the headers.
    public enum Body: Sendable {
        /// Nothing is sent after the headers.
        case none
        /// The bytes themselves.
        case data(Data)
        /// A file that is streamed from disk. Its length when the request starts is announced.
        case file(path: String)
    }

    /// The method.
    public var method: Method
    /// The absolute address, http or https.
    public var url: String
    /// The headers, in the order in which they are sent.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: Body
    /// The longest time of the whole transfer; nil waits as long as bytes move.
    public var timeout: Duration?
    /// The time after which a transfer of less than one byte a second is given up.
    public var stallTimeout: Duration

    /// Describes a request; nothing is sent.
    public init(
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

/// A whole answer over HTTP.
public struct HTTPResponse: Sendable {
    /// The status code, such as 200.
    public let status: Int
    /// The headers by name in lower case; of repeated ones the last.
    public let headers: [String: String]
    /// The body; empty when it went to a sink.
    public let body: Data

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// The reason why no whole answer came.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Code: String, Sendable {
        case unreachable, timedOut, cancelled, bodyTooLarge, protocolError
        /// What answers at the address speaks no TLS, or no version that is understood.
        case tls
        /// The server's certificate is vouched for by nobody that this host trusts, or is for another name.
        case certificate
        /// The bytes that came could not be kept.
        case sinkFailed
        /// The bytes that were to be sent could not be read.
        case bodyFailed
    }

    /// The kind of reason.
    public let code: Code
    /// One sentence for the user.
    public let description: String
}
