import HTTPTypes

// Header fields that swift-http-types has no name for. Each literal is a valid token (RFC 9110 §5.6.2), so that the
// initialiser cannot return nil.
extension HTTPField.Name {
    /// The first Host becomes the request's authority; what is found under this name is a second one.
    static let host = HTTPField.Name("Host")!
    static let frameOptions = HTTPField.Name("X-Frame-Options")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let antiForgeryToken = HTTPField.Name("X-CSRF-Token")!
    static let forwarded = HTTPField.Name("Forwarded")!
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let realIP = HTTPField.Name("X-Real-IP")!
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    // W3C Trace Context §3.2.
    static let traceParent = HTTPField.Name("traceparent")!
    // draft-ietf-httpbis-resumable-upload §§4.1 and 5.
    static let uploadOffset = HTTPField.Name("Upload-Offset")!
    static let uploadComplete = HTTPField.Name("Upload-Complete")!
    static let uploadLength = HTTPField.Name("Upload-Length")!
    static let uploadLimit = HTTPField.Name("Upload-Limit")!
}

extension Duration {
    /// The duration in whole milliseconds, rounded down.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
