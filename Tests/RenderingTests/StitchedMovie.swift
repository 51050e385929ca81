import Foundation
import TestSupport

/// What FFmpeg's own tools say of a finished movie.
struct StitchedMovie {
    let path: String

    /// SHA-256 of every decoded frame as it is coded, in order: not every container says that pictures are turned.
    func frameHashes() async throws -> [String] {
        let text = try await Shell.ffmpeg(
            ["-noautorotate", "-i", path, "-map", "0:v", "-fps_mode", "passthrough"]
                + ["-f", "framehash", "-hash", "sha256", "-"]
        )
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What ffmpeg's decoders print over the whole movie at level `warning`.
    func decoderMessages() async throws -> String {
        let outcome = try await Shell.run("ffmpeg", ["-nostdin", "-v", "warning", "-i", path, "-f", "null", "-"])
        return outcome.errors
    }

    /// `key=value` of ffprobe's stream entries.
    func stream(_ specifier: String, _ entries: [String]) async throws -> [String: String] {
        let arguments = [
            "-v", "error", "-select_streams", specifier, "-count_packets", "-show_entries",
            "stream=" + entries.joined(separator: ","), "-of", "default=nw=1", path,
        ]
        let lines = try await Shell.run("ffprobe", arguments).text.split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
