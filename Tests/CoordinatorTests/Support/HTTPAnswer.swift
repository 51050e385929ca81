import Foundation
import WireProtocol

/// What came back over the wire.
struct HTTPAnswer: Sendable {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: Data

    /// - Parameter bytes: a whole HTTP/1.1 answer, or several of which the last one counts (100, then 200).
    init(_ bytes: Data) throws {
        var rest = bytes
        var status = 0
        var headers: [String: String] = [:]
        repeat {
            guard let end = rest.range(of: Data("\r\n\r\n".utf8)) else { throw URLError(.badServerResponse) }
            let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
            headers = Dictionary(
                lines.dropFirst().compactMap { line in
                    line.firstIndex(of: ":").map {
                        (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
                    }
                },
                uniquingKeysWith: { $1 }
            )
            rest = Data(rest[end.upperBound...])
        } while status == 100 && !rest.isEmpty
        (self.status, self.headers, body) = (status, headers, rest)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of the problem, when it is one and is sent as one.
    var code: String? {
        guard headers["content-type"] == "application/problem+json" else { return nil }
        return try? WireJSON.decode(Problem.self, from: body).code
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try WireJSON.decode(type, from: body) }
}
