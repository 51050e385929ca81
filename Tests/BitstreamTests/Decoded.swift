import Bitstream
import Foundation
import TestSupport
import Testing

/// What ffmpeg decodes.
enum Decoded {
    struct Complaint: Error {
        let words: String
    }

    /// The digests of all pictures in output order. - Throws: when the decoder says a word.
    static func frames(_ stream: [UInt8], _ format: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(stream).write(to: URL(fileURLWithPath: folder.path("a")))
        let outcome = try await Shell.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "warning", "-threads", "1", "-probesize", "1G", "-f", format, "-i", folder.path("a"),
                "-fps_mode", "passthrough", "-f", "framemd5", "-",
            ]
        )
        // A raw stream has no times; the muxer says so.
        let words = outcome.errors.split(separator: "\n").filter { !$0.contains("Timestamps are unset") }
        guard outcome.exitCode == 0, words.isEmpty else {
            throw Complaint(words: words.joined(separator: "\n"))
        }
        return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map(String.init)
        }
    }
}
