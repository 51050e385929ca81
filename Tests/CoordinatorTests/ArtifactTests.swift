import CompositionModel
import Coordinator
import Foundation
import TestSupport
import Testing

/// Bytes over HTTP: in whole, out whole or in ranges.
@Suite struct ArtifactTests {
    static let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 11) })
    static let path = "/v1/artifacts/\(ContentDigest(of: data).hex)"
    static let tag = "\"\(ContentDigest(of: data))\""

    @Test func bytesComeBackWholeAndInRanges() async throws {
        try await withCoordinator { farm in
            #expect(try await farm.call("HEAD", ArtifactTests.path, as: "worker").status == 404)
            #expect(try await farm.upload(ArtifactTests.data, to: ArtifactTests.path).status == 201)
            #expect(try await farm.upload(ArtifactTests.data, to: ArtifactTests.path).status == 201, "sent twice")
            let head = try await farm.call("HEAD", ArtifactTests.path, as: "worker")
            #expect(head.status == 200 && head.headers["content-length"] == "3000000" && head.body.isEmpty)
            #expect(head.headers["etag"] == ArtifactTests.tag && head.headers["accept-ranges"] == "bytes")
            let whole = try await farm.call("GET", ArtifactTests.path, as: "worker")
            #expect(whole.status == 200 && whole.body == ArtifactTests.data)
            for (range, part) in [
                ("bytes=0-9", 0..<10), ("bytes=1048570-2097160", 1_048_570..<2_097_161),
                ("bytes=-4", 2_999_996..<3_000_000),
                ("bytes=2999999-", 2_999_999..<3_000_000), ("bytes=2999990-9999999", 2_999_990..<3_000_000),
            ] {
                let answer = try await farm.call("GET", ArtifactTests.path, as: "worker", headers: ["Range: \(range)"])
                #expect(answer.status == 206)
                #expect(answer.body == ArtifactTests.data[part], "\(range)")
                #expect(answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/3000000")
            }
        }
    }

    @Test func conditionsAreKept() async throws {
        try await withCoordinator { farm in
            _ = try await farm.upload(ArtifactTests.data, to: ArtifactTests.path)
            func get(_ headers: String...) async throws -> HTTPAnswer {
                try await farm.call("GET", ArtifactTests.path, as: "worker", headers: headers)
            }
            let past = try await get("Range: bytes=3000000-")
            #expect(past.status == 416 && past.headers["content-range"] == "bytes */3000000")
            #expect(past.code == "range_not_satisfiable")
            #expect(try await get("Range: bytes=0-1", "If-Range: \(ArtifactTests.tag)").status == 206)
            let other = try await get("Range: bytes=0-1", "If-Range: \"sha256:0\"")
            #expect(other.status == 200 && other.body.count == 3_000_000)
            #expect(try await get("If-None-Match: \(ArtifactTests.tag)").status == 304)
            #expect(try await get("Range: bytes=0-1,5-6").status == 200)
        }
    }

    @Test func wrongBytesAreRefusedAndForgotten() async throws {
        try await withCoordinator { farm in
            let flipped = Data([ArtifactTests.data[0] ^ 1]) + ArtifactTests.data.dropFirst()
            for wrong in [flipped, ArtifactTests.data.dropLast(), ArtifactTests.data + [0]] {
                let answer = try await farm.upload(wrong, to: ArtifactTests.path)
                #expect(answer.status == 422 && answer.code == "digest_mismatch")
            }
            #expect(try await farm.call("HEAD", ArtifactTests.path, as: "worker").status == 404)
            let incoming = farm.folder.path("artifacts/incoming")
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
        }
    }

    @Test func anUploadMayBeChunkedAndHasALimit() async throws {
        try await withCoordinator { configuration, _ in
            configuration.largestUpload = 3_000_000
        } _: { farm in
            let chunked = try await farm.call(
                "PUT",
                ArtifactTests.path,
                as: "worker",
                headers: ["Transfer-Encoding: chunked"],
                extra: ["-T", try write(ArtifactTests.data, farm)]
            )
            #expect(chunked.status == 201)
            let large = try await farm.upload(ArtifactTests.data + [0], to: ArtifactTests.path)
            #expect(large.status == 413 && large.code == "body_too_large" && large.headers["connection"] == "close")
            let chunkedLarge = try await farm.call(
                "PUT",
                ArtifactTests.path,
                as: "worker",
                headers: ["Transfer-Encoding: chunked"],
                extra: ["-T", try write(ArtifactTests.data + [0], farm)]
            )
            #expect(chunkedLarge.status == 413)
        }
    }

    private func write(_ data: Data, _ farm: RunningCoordinator) throws -> String {
        let path = farm.folder.path(UUID().uuidString)
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }
}
