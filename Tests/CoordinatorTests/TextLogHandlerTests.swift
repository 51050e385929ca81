import Foundation
import Logging
import TestSupport
import Testing

@testable import Coordinator

@Suite struct TextLogHandlerTests {
    @Test func aLineIsForPeople() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        var logger = Logger(label: "farm") { _ in TextLogHandler(descriptor: file.fileDescriptor) }
        logger[metadataKey: "role"] = "coordinator"
        logger.info("serving", metadata: ["address": "http://127.0.0.1:1", "b": "2"])
        logger.debug("not written")
        logger.warning("two\nlines")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        let first = /\d\d:\d\d:\d\d serving · address http:\/\/127\.0\.0\.1:1, b 2/
        #expect(try first.wholeMatch(in: lines[0]) != nil, "\(lines)")
        #expect(try /\d\d:\d\d:\d\d warning two lines/.wholeMatch(in: lines[1]) != nil, "\(lines)")
    }
}
