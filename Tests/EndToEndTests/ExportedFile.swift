import Foundation
import TestSupport
import Testing
import WireProtocol

/// What ffmpeg and ffprobe find in a file, to judge an export by.
struct ExportedFile: Sendable {
    let path: String

    /// The hash of each picture that ffmpeg shows, in order of presentation, edit lists honoured.
    func pictures(_ stream: Int = 0) async throws -> [String] {
        let arguments = ["-i", path, "-map", "0:v:\(stream)", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        let text = String(decoding: try await Shell.ffmpeg(arguments), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The presentation time of each picture that ffmpeg shows, in seconds.
    func pictureTimes() async throws -> [Double] {
        let arguments = [
            "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path,
        ]
        return try await Shell.run("ffprobe", arguments).text.split(separator: "\n")
            .compactMap { Double($0.trimmingCharacters(in: [",", " "])) }
    }

    /// The samples of an audio track in 16 bits, all channels, as ffmpeg decodes them.
    func samples(_ stream: Int = 0) async throws -> [Int16] {
        let data = try await Shell.ffmpeg([
            "-i", path, "-map", "0:a:\(stream)", "-c:a", "pcm_s16le", "-f", "s16le", "-",
        ])
        return data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    /// What ffprobe prints of `entries`, in lines.
    func probed(_ entries: String, _ more: [String] = []) async throws -> [String] {
        let arguments = ["-v", "error"] + more + ["-show_entries", entries, "-of", "default=nk=0:nw=1", path]
        return try await Shell.run("ffprobe", arguments).text.split(separator: "\n").map(String.init)
    }

    /// The lines that ffmpeg says about decoding the whole file; none for a sound file.
    func complaints() async throws -> String {
        let arguments = ["-nostdin", "-v", "warning", "-i", path, "-map", "0:v?", "-map", "0:a?", "-f", "null", "-"]
        // Matroska has no channel layouts, and the null writer counts variable rates in frames.
        let harmless = ["Guessed Channel Layout", "non monotonically increasing dts to muxer", "Last message repeated"]
        return try await Shell.run("ffmpeg", arguments).errors.split(separator: "\n")
            .filter { line in !harmless.contains { line.contains($0) } }.joined(separator: "\n")
    }
}

extension Cutfarm {
    /// Exports and throws with what was said on any other exit code than 0.
    func export(_ arguments: [String], to name: String) async throws -> (file: ExportedFile, report: ExportReport) {
        let path = folder.path(name)
        let outcome = try await run(["export"] + arguments + ["-o", path, "--json", "--force"])
        guard outcome.exitCode == 0 else { throw Unexpected(description: "export: " + outcome.errors) }
        return (ExportedFile(path: path), try WireJSON.decode(ExportReport.self, from: outcome.output))
    }
}

/// A kind of media that an export must be exact on.
struct ExportKind: Sendable, CustomTestStringConvertible {
    var file: String
    var rate = "25"
    var video: [String]?
    var sound: [String]?
    var seconds = "6"
    /// Containers that hold it, by ending; the first one has edit lists.
    var targets: [String]

    var testDescription: String {
        "\(file) \((video ?? []).joined(separator: " ")) \((sound ?? []).joined(separator: " "))"
    }

    func make(in folder: TemporaryFolder) async throws -> String {
        var arguments: [String] = []
        if video != nil { arguments += ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=\(rate):d=\(seconds)"] }
        if sound != nil {
            let signal = "0.3*sin(2*PI*t*(200+300*t))+0.05*sin(2*PI*3001*t)"
            arguments += ["-f", "lavfi", "-i", "aevalsrc='\(signal)|\(signal)':s=48000:d=\(seconds)"]
        }
        let path = folder.path(file)
        try await Shell.ffmpeg(arguments + (video ?? []) + (sound ?? []) + [path])
        return path
    }

    private static func x264(_ parameters: String) -> [String] {
        ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-x264-params", parameters + ":scenecut=0"]
    }

    // FFmpeg's encoder fills bands with noise that differs with every start of a decoder, unless told otherwise.
    private static let aac = ["-c:a", "aac", "-aac_pns", "0", "-b:a", "128k"]

    static let all: [ExportKind] = [
        ExportKind(
            file: "a.mp4",
            video: x264("keyint=25:bframes=3:b-pyramid=normal"),
            sound: aac,
            targets: ["mp4", "mkv", "ts"]
        ),
        ExportKind(
            file: "open.mp4",
            rate: "30000/1001",
            video: x264("keyint=30:open-gop=1:bframes=3"),
            sound: aac,
            targets: ["mov", "mkv"]
        ),
        ExportKind(
            file: "b.mkv",
            rate: "24000/1001",
            video: x264("keyint=48:bframes=2"),
            sound: ["-c:a", "flac"],
            targets: ["mp4", "mkv"]
        ),
        ExportKind(file: "c.ts", video: x264("keyint=25:bframes=2"), sound: aac, targets: ["mp4", "mkv", "ts"]),
        ExportKind(
            file: "d.mp4",
            video: [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "keyint=30:open-gop=1:bframes=4:log-level=none",
            ],
            sound: ["-c:a", "libmp3lame", "-reservoir", "0"],
            targets: ["mp4", "mkv", "ts"]
        ),
        ExportKind(
            file: "e.mov",
            video: ["-c:v", "prores_ks"],
            sound: ["-c:a", "pcm_s24le"],
            seconds: "2",
            targets: ["mov", "mkv"]
        ),
        ExportKind(
            file: "f.mov",
            rate: "50",
            video: ["-c:v", "mjpeg"],
            sound: ["-c:a", "pcm_s16be"],
            seconds: "2",
            targets: ["mov", "mkv"]
        ),
        ExportKind(
            file: "variable.mp4",
            rate: "60",
            video: ["-vf", "select='lt(mod(n*n*7,11),6)'", "-fps_mode", "passthrough"] + x264("keyint=24:bframes=2"),
            sound: aac,
            targets: ["mp4", "mkv"]
        ),
        ExportKind(file: "silent.mp4", video: x264("keyint=10:bframes=2"), targets: ["mp4", "mkv", "ts", "mov"]),
        ExportKind(
            file: "mpeg.ts",
            video: ["-c:v", "mpeg2video", "-g", "15", "-bf", "2"],
            sound: ["-c:a", "mp2"],
            targets: ["mp4", "mkv", "ts"]
        ),
    ]
}
