import Foundation
import TestSupport
import Testing

@testable import ObjectStorage

/// Signatures as botocore makes them, which has its own code and is Amazon's.
@Suite struct SignatureTests {
    /// A request as the script of the oracle reads it.
    private struct Asked: Encodable {
        var method: String
        var endpoint: String
        /// The path where there is no key.
        var end: String
        var key: String
        var query: [[String]]
        var headers: [[String]]
        var body: String
        var accessKey: String
        var secretKey: String
        var token: String?
        var region: String
        var time: Int
        var seconds: Int?
    }

    private struct Answer: Decodable {
        var authorization: String?
        var headers: [String: String]?
        var url: String?
    }

    /// One request in both forms.
    private struct Sample {
        let asked: Asked
        let signature: RequestSignature
        let body: Data
    }

    private static let pieces = [
        "a", "Z9", "-", "_", ".", "~", " ", "  ", "+", "%", "%2F", "/", "//", "..", "&", "=", "?", "#", "@", ":", ";",
        ",",
        "'", "\"", "(", "*", "!", "$", "\\", "<", "|", "ü", "é", "日本", "🎬", "\u{7f}", "\u{301}", "key",
        "x".uppercased(),
    ]

    private static func text(_ random: inout SplitMix, _ most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func sample(_ random: inout SplitMix) throws -> Sample {
        let addressing = BucketLocation.Addressing.allCases.randomElement(using: &random) ?? .path
        let region = ["us-east-1", "eu-central-1", "test"].randomElement(using: &random) ?? ""
        let endpoint =
            [nil, "http://127.0.0.1:8080", "https://s3.example.org/", "https://S3.example.org:443"]
            .randomElement(using: &random) ?? nil
        let location = try BucketLocation(
            bucket: "my-bucket",
            region: region,
            endpoint: endpoint,
            addressing: addressing
        )
        let key = text(&random, 6)
        let query = (0..<Int.random(in: 0...4, using: &random)).map { number in
            (name: "\(number)" + text(&random, 3), value: text(&random, 3))
        }
        var headers: [(name: String, value: String)] = []
        if Bool.random(using: &random) { headers.append(("If-None-Match", "*")) }
        if Bool.random(using: &random) { headers.append(("Content-Type", "application/xml;  charset=utf-8")) }
        if Bool.random(using: &random) { headers.append(("x-amz-meta-Name", " a  b\tc ")) }
        let body = Data(
            (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        )
        let token = Bool.random(using: &random) ? "token/+=" : nil
        let time = Int.random(in: 0...4_000_000_000, using: &random)
        let method = ["GET", "PUT", "HEAD", "POST", "DELETE"].randomElement(using: &random) ?? ""
        let signature = RequestSignature(
            method: method,
            location: location,
            key: key,
            query: query,
            headers: headers,
            credentials: BucketCredentials(accessKey: "AKID", secretKey: "secret/+ü", sessionToken: token),
            date: Date(timeIntervalSince1970: Double(time))
        )
        let asked = Asked(
            method: method,
            endpoint: "\(location.scheme)://\(location.host)\(location.base)",
            end: addressing == .path ? "" : "/",
            key: key,
            query: query.map { [$0.name, $0.value] },
            headers: headers.map { [$0.name, $0.value] },
            body: body.base64EncodedString(),
            accessKey: "AKID",
            secretKey: "secret/+ü",
            token: token,
            region: region,
            time: time
        )
        return Sample(asked: asked, signature: signature, body: body)
    }

    /// What botocore signs; nil without it.
    private static func answers(_ asked: [Asked]) async throws -> [Answer]? {
        let python = "/usr/bin/python3"
        guard try await Shell.run(python, ["-c", "import botocore.auth"]).exitCode == 0 else {
            print("skipped: python3 has no botocore (scripts/install-dependencies test)")
            return nil
        }
        let folder = try TemporaryFolder()
        try JSONEncoder().encode(asked).write(to: URL(fileURLWithPath: folder.path("asked")))
        let script = Programs.repository.appendingPathComponent("Tests/Oracles/s3_signatures.py").path
        let words = ["-c", "exec \(python) \"$1\" < \"$2\"", "sh", script, folder.path("asked")]
        let outcome = try await Shell.run("/bin/sh", words)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([Answer].self, from: outcome.output)
    }

    @Test func headersAreSignedAsBotocoreDoes() async throws {
        var random = SplitMix(seed: 1)
        let samples = try (0..<1000).map { _ in try Self.sample(&random) }
        guard let answers = try await Self.answers(samples.map(\.asked)) else { return }
        for (sample, answer) in zip(samples, answers) {
            // botocore leaves the digest out where the transport is encrypted; the service takes either.
            let payload = try #require(answer.headers?["x-amz-content-sha256"])
            let headers = sample.signature.signedHeaders(payload: payload)
            let signed = headers.first { $0.name == "Authorization" }?.value
            #expect(signed == answer.authorization, "\(sample.asked)")
        }
    }

    @Test func addressesAreSignedAsBotocoreDoes() async throws {
        var random = SplitMix(seed: 2)
        let samples = try (0..<1000).map { _ in try Self.sample(&random) }
        let asked = samples.map { sample in
            var asked = sample.asked
            asked.seconds = 3600
            // What botocore finds in a body becomes a part of the address.
            asked.body = ""
            return asked
        }
        guard let answers = try await Self.answers(asked) else { return }
        for (sample, answer) in zip(samples, answers) {
            let ours = Self.parts(sample.signature.signedAddress(seconds: 3600))
            let theirs = Self.parts(answer.url ?? "")
            #expect(ours == theirs, "\(sample.asked)")
        }
    }

    /// The parts of an address, whose query may stand in any order.
    private static func parts(_ address: String) -> [String] {
        let halves = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return [halves[0]] + halves.dropFirst().flatMap { $0.split(separator: "&").map(String.init) }.sorted()
    }

    /// The example of Amazon's documentation ("Signature Calculations for the Authorization Header", GET Object).
    @Test func theExampleOfTheDocumentation() throws {
        let signature = RequestSignature(
            method: "GET",
            location: try BucketLocation(
                bucket: "examplebucket",
                endpoint: "https://s3.amazonaws.com",
                addressing: .virtualHost
            ),
            key: "test.txt",
            query: [],
            headers: [("Range", "bytes=0-9")],
            credentials: BucketCredentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE",
                secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
            ),
            date: Date(timeIntervalSince1970: 1_369_353_600)
        )
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let authorization = signature.signedHeaders(payload: empty).last?.value
        #expect(authorization?.hasSuffix("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
        #expect(signature.address == "https://examplebucket.s3.amazonaws.com/test.txt")
    }
}
