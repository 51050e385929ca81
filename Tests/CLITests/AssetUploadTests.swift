import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import TestSupport
import Testing
import WireProtocol

@testable import CLI

/// Files on their way to the farm, which may go away meanwhile.
@Suite struct AssetUploadTests {
    let farm: ScriptedCoordinator
    let data = Data("the bytes of a clip".utf8)
    var digest: ContentDigest { ContentDigest(of: data) }
    var address: String { "/v1/assets/\(digest.hex)" }

    init() async throws { farm = try await ScriptedCoordinator() }

    private func file(_ name: String, _ data: Data) throws -> AssetSource {
        try data.write(to: URL(fileURLWithPath: farm.folder.path(name)))
        return .path(farm.folder.path(name))
    }

    private func upload() throws -> AssetUpload {
        _ = try file("a.mov", data)
        return AssetUpload(connection: farm.connection, digest: digest, path: farm.folder.path("a.mov"))
    }

    @Test func aFarmThatGoesAwayIsWaitedFor() async throws {
        // Each line is a request for the asset: sent, looked for, sent…
        try farm.server.script(
            ["503 store_unavailable", "go", "409 upload_busy", "503 store_unavailable", "go", "go"],
            at: address
        )
        try await upload().run()
        #expect(farm.server.count("PUT", address) == 3)
        #expect(farm.server.file(address) == data)
    }

    /// A coordinator that reads the whole of an upload says that it is busy, and is waited for.
    @Test func aFarmThatReadsTheWholeIsWaitedFor() async throws {
        try farm.server.script(["409 upload_busy", "go", "409 upload_busy", "go", "go"], at: address)
        var upload = try upload()
        upload.patience = .milliseconds(1)
        try await upload.run()
        #expect(farm.server.count("PUT", address) == 3)
    }

    /// The answer to the last byte was lost: the asset is there.
    @Test func whatIsThereIsNotSentAgain() async throws {
        try farm.server.script(["503 store_unavailable"], at: address)
        let upload = try upload()
        try await upload.run(onRetry: { _ in try? farm.server.serve(data, at: address) })
        #expect(farm.server.count("PUT", address) == 1)
    }

    @Test func aFarmThatStaysUnableIsGivenUp() async throws {
        try farm.server.script([String](repeating: "503 store_unavailable", count: 300), at: address)
        let upload = try upload()
        let error = await #expect(throws: ClientError.self) { try await upload.run() }
        #expect(error?.description.hasSuffix("503. The coordinator was asked for 60 s; ask again later.") == true)
    }

    @Test(arguments: ["422 not_media", "413 body_too_large", "403 forbidden", "409 asset_missing"])
    func aRefusalIsFinal(answer: String) async throws {
        try farm.server.script([answer], at: address)
        let upload = try upload()
        let error = await #expect(throws: ClientError.self) { try await upload.run() }
        #expect(error?.description.hasPrefix("Detail of \(answer.prefix(3))") == true)
        #expect(farm.server.count("PUT", address) == 1)
    }

    /// Somebody writes to the file after it was hashed. The coordinator finds other bytes, or more or fewer of them.
    @Test(arguments: ["422 digest_mismatch", "400 upload_length"])
    func aFileThatChangesMeanwhileSaysSo(answer: String) async throws {
        try farm.server.script([answer], at: address)
        let upload = try upload()
        try Data("the bytes of another".utf8).write(to: URL(fileURLWithPath: upload.path))
        let error = await #expect(throws: ClientError.self) { try await upload.run() }
        #expect(error?.description.hasPrefix("\(upload.path) was changed while it was sent; send it again") == true)
        #expect(error?.isOfTheFile == true && farm.server.count("PUT", address) == 1)
    }

    /// The file is what it was: the coordinator's own sentence is said.
    @Test func aFileThatIsTheSameIsNotBlamed() async throws {
        try farm.server.script(["422 digest_mismatch"], at: address)
        let error = await #expect(throws: ClientError.self) { try await upload().run() }
        #expect(error?.description.hasPrefix("Detail of 422") == true)
    }

    /// One file that is no media stops no other; the same bytes under two names are sent once.
    @Test func eachFileIsJudgedByItself() async throws {
        let bad = Data("no media".utf8)
        let sources = [
            "a": try file("a.mov", data), "b": try file("b.mov", data), "c": try file("c.mov", bad),
            "d": try file("d.mov", bad), "e": .path(farm.folder.path("none.mov")),
        ]
        let refused = "/v1/assets/\(ContentDigest(of: bad).hex)"
        try farm.server.script(["go", "422 not_media"], at: refused)
        let delivered = try await farm.delivery.deliver(sources)
        #expect(delivered.digests == ["a": digest, "b": digest])
        #expect(delivered.unusable.keys.sorted() == ["c", "d", "e"])
        #expect(farm.server.count("PUT", address) == 1 && farm.server.count("PUT", refused) == 1)
    }

    @Test func manyFilesAreSent() async throws {
        var sources: [String: AssetSource] = [:]
        for number in 0..<11 { sources["\(number)"] = try file("\(number).mov", Data("clip \(number)".utf8)) }
        var delivery = farm.delivery
        for limit in [1, 4, 32] {
            delivery.parallelCount = limit
            let delivered = try await delivery.deliver(sources)
            #expect(delivered.digests.count == 11 && delivered.unusable.isEmpty)
        }
        #expect(farm.server.log.count { $0.hasPrefix("PUT ") } == 11)
    }
}
