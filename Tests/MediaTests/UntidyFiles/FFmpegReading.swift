package import Foundation
import TestSupport

/// What ffprobe and ffmpeg read of a file.
package struct FFmpegReading: Sendable {
    package struct Stream: Sendable, Decodable {
        package var index: Int
        package var codec_type: String
        package var width: Int?
        package var height: Int?
        package var sample_aspect_ratio: String?
        package var time_base: String
        package var sample_rate: String?
        package var channels: Int?
        package var duration_ts: Int64?
        package var start_pts: Int64?
    }

    package struct Frame: Sendable, Decodable {
        package var stream_index: Int
        package var pts: Int64?
        package var best_effort_timestamp: Int64?
        package var nb_samples: Int?
        package var pkt_pos: String?
    }

    private struct Probed: Decodable {
        var streams: [Stream]
        var frames: [Frame]
    }

    package var streams: [Stream] = []
    package var frames: [Frame] = []
    /// All pictures of the first picture stream, one behind the other, without gaps.
    package var pictures = Data()
    /// The samples of the first sound stream, interleaved, without gaps.
    package var samples: [Float] = []
    /// Whether one of the programs found fault with the file.
    package var complaints = ""

    /// - Parameter format: the pixel format that pictures are written in.
    package init(_ path: String, format: String?, hasSound: Bool, in folder: URL) async throws {
        let entries =
            "stream=index,codec_type,width,height,sample_aspect_ratio,time_base,sample_rate,channels,duration_ts,start_pts"
            + ":frame=stream_index,pts,best_effort_timestamp,nb_samples,pkt_pos"
        let probed = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_frames", "-show_streams", "-show_entries", entries, "-of", "json", path]
        )
        complaints = probed.errors
        if let found = try? JSONDecoder().decode(Probed.self, from: probed.output) {
            (streams, frames) = (found.streams, found.frames)
        }
        let (video, audio) = (folder.appendingPathComponent("v.raw"), folder.appendingPathComponent("a.raw"))
        var arguments = ["-nostdin", "-v", "error", "-y", "-flags", "+bitexact", "-noautorotate", "-i", path]
        if let format {
            arguments += [
                "-map", "0:v:0", "-fps_mode", "passthrough", "-pix_fmt", format, "-f", "rawvideo", video.path,
            ]
        }
        if hasSound { arguments += ["-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "f32le", audio.path] }
        complaints += try await Shell.run("ffmpeg", arguments).errors
        if format != nil { pictures = (try? Data(contentsOf: video)) ?? Data() }
        guard hasSound, let bytes = try? Data(contentsOf: audio) else { return }
        samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    package func first(_ type: String) -> Stream? { streams.first { $0.codec_type == type } }

    package func frames(of stream: Stream) -> [Frame] { frames.filter { $0.stream_index == stream.index } }
}

extension FFmpegReading.Stream {
    /// Seconds of a tick.
    package var tick: Double {
        let parts = time_base.split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 ? parts[0] / parts[1] : 1
    }
}
