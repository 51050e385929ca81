import Coordinator
import Foundation
import Logging
import PostgreSQL
import TestSupport
import Testing

@Suite struct JSONLogHandlerTests {
    @Test func aLineIsOneObjectWhateverIsInIt() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("log")))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("log")))
        var logger = Logger(label: "farm") { JSONLogHandler(label: $0, descriptor: file.fileDescriptor) }
        logger[metadataKey: "job"] = "job_1"
        logger.debug("not shown")
        logger.warning("two\nlines \"quoted\"", metadata: ["attempt": "att_1", "token": "\(Secret("hush-hush"))"])
        let text = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
        #expect(text.split(separator: "\n").count == 1 && text.hasSuffix("}\n"))
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
        #expect(fields["message"] == "two\nlines \"quoted\"" && fields["level"] == "warning")
        #expect(fields["label"] == "farm" && fields["job"] == "job_1" && fields["attempt"] == "att_1")
        #expect(fields["time"]?.contains("T") == true)
        #expect(!text.contains("hush-hush"))
    }
}
