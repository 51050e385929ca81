public import Foundation

/// One request over HTTP, as ``CurlClient`` sends it.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    public enum Body: Sendable {
        case none
        case data(Data)
        /// Streamed from disk; its size at the start is what is announced.
        case file(path: String)
    }

    public var method: Method
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: Body
    /// For the whole transfer; nil waits as long as bytes move.
    public var timeout: Duration?
    /// Gives up when fewer than one byte a second arrives for so long.
    public var stallTimeout: Duration

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

public struct HTTPResponse: Sendable {
    public let status: Int
    /// Names in lower case; of repeated ones the last.
    public let headers: [String: String]
    /// Empty when the body went to a sink.
    public let body: Data

    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why no response came.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable {
        case unreachable, timedOut, cancelled, bodyTooLarge, protocolError
        /// What answers there speaks no TLS, or none that is understood.
        case tls
        /// It does, but nobody that this host trusts vouches for it.
        case certificate
        /// What came could not be kept.
        case sinkFailed
        /// What was to be sent could not be read.
        case bodyFailed
    }

    public let code: Code
    /// One sentence.
    public let description: String
}
