import Foundation
import TestSupport
import WireProtocol

/// What a coordinator answers to curl.
struct FarmAnswer {
    let status: Int
    /// By names in lower case.
    let headers: [String: String]
    let body: Data

    var type: String? { headers["content-type"] }
    /// The code of a problem; nil for any other answer.
    var code: String? { (try? WireJSON.decode(Problem.self, from: body))?.code }
}

extension TestFarm {
    /// Asks for an address below the coordinator's.
    /// - Parameter token: the token of who asks.
    func get(_ path: String, as token: String = "end-to-end-token-0123456789") async throws -> FarmAnswer {
        let name = UUID().uuidString
        let (head, body) = (cutfarm.folder.path(name + ".head"), cutfarm.folder.path(name + ".body"))
        let outcome = try await Shell.run(
            "curl",
            ["-sS", "-D", head, "-o", body, "-H", "Authorization: Bearer \(token)", address + path]
        )
        guard outcome.exitCode == 0 else { throw Unexpected(description: "curl: " + outcome.errors) }
        let lines = try String(contentsOfFile: head, encoding: .utf8).split(separator: "\r\n")
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
        }
        return FarmAnswer(
            status: lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
            headers: Dictionary(fields) { first, _ in first },
            body: FileManager.default.contents(atPath: body) ?? Data()
        )
    }
}
