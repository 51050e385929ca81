import Digests
import Foundation

/// A request to a bucket as Signature Version 4 sees it (AWS, "Authenticating Requests"): what is signed, and the signature.
struct RequestSignature {
    /// The method in upper case.
    let method: String
    let location: BucketLocation
    /// The object; empty for the bucket itself.
    let key: String
    /// Names and values, neither encoded; a name without a value has an empty one.
    var query: [(name: String, value: String)]
    /// Headers other than `Host`, all of which are signed.
    var headers: [(name: String, value: String)]
    let credentials: BucketCredentials
    let date: Date

    static let algorithm = "AWS4-HMAC-SHA256"
    /// Stands for the digest of a body that is not signed.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The headers of the request with those that sign it.
    /// - Parameter payload: the SHA-256 of the body as 64 digits, or ``unsignedPayload``.
    func signedHeaders(payload: String) -> [(name: String, value: String)] {
        var signed = self
        signed.headers += [("x-amz-content-sha256", payload), ("x-amz-date", time)]
        if let token = credentials.sessionToken { signed.headers.append(("x-amz-security-token", token)) }
        let authorization = [
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope)",
            "SignedHeaders=\(signed.headerNames)", "Signature=\(signed.signature(payload: payload))",
        ]
        return signed.headers + [("Authorization", authorization.joined(separator: ", "))]
    }

    /// The address that anybody may use until `seconds` after ``date``, with the signed ``headers`` and any body.
    func signedAddress(seconds: Int) -> String {
        var signed = self
        signed.query += [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
            ("X-Amz-Date", time), ("X-Amz-Expires", String(seconds)), ("X-Amz-SignedHeaders", headerNames),
        ]
        if let token = credentials.sessionToken { signed.query.append(("X-Amz-Security-Token", token)) }
        return signed.address + "&X-Amz-Signature=" + signed.signature(payload: Self.unsignedPayload)
    }

    /// The address with the query.
    var address: String {
        let address = "\(location.scheme)://\(location.host)\(location.path(of: key))"
        return query.isEmpty ? address : address + "?" + canonicalQuery
    }

    /// Sorted by name, then by value, both as they are encoded.
    private var canonicalQuery: String {
        query.map { (name: $0.name.percentEncoded(), value: $0.value.percentEncoded()) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Names in lower case and trimmed values, sorted by name; values of one name are joined in their order.
    private var canonicalHeaders: [(name: String, value: String)] {
        let all = [(name: "host", value: location.host)] + headers
        let grouped = Dictionary(grouping: all) { $0.name.lowercased() }
        return grouped.sorted { $0.key < $1.key }.map { name, headers in
            (name, headers.map { Self.trimmed($0.value) }.joined(separator: ","))
        }
    }

    /// Without white space at the ends, and with one space for each run of it inside.
    private static func trimmed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }

    private var headerNames: String { canonicalHeaders.map(\.name).joined(separator: ";") }

    private func signature(payload: String) -> String {
        let path = location.path(of: key)
        let lines =
            [method, path.isEmpty ? "/" : path, canonicalQuery]
            + canonicalHeaders.map { "\($0.name):\($0.value)" } + ["", headerNames, payload]
        let request = SHA256.hash(Data(lines.joined(separator: "\n").utf8)).hexText
        let text = [Self.algorithm, time, scope, request].joined(separator: "\n")
        let key = credentials.signingKey(day: String(time.prefix(8)), region: location.region)
        return key.code(for: Data(text.utf8)).hexText
    }

    private var scope: String { "\(time.prefix(8))/\(location.region)/s3/aws4_request" }

    /// Such as `20130524T000000Z`.
    private var time: String {
        let parts = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: date)
        func digits(_ value: Int?, _ count: Int) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2)
        return day + "T" + digits(parts.hour, 2) + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
    }
}
