import CompositionModel
import Foundation
import Media
import Planning
import TestSupport
import Timing

@testable import Rendering

/// A sound file made by a test, with the facts that ffprobe and ffmpeg tell of it.
struct SoundFile {
    let path: String
    let facts: AudioStreamFacts

    /// - Parameters:
    ///   - arguments: of ffmpeg, between `-y` and the file's name.
    ///   - decoded: samples by ffmpeg's count where the container does not tell.
    static func make(_ name: String, in folder: TemporaryFolder, _ arguments: [String]) async throws -> SoundFile {
        let path = folder.path(name)
        try await Shell.ffmpeg(arguments + [path])
        return try await SoundFile(path: path)
    }

    init(path: String, stream: Int = 0) async throws {
        self.path = path
        let arguments = ["-v", "error", "-show_streams", "-show_format", "-of", "json", path]
        let report = try JSONDecoder().decode(Report.self, from: try await Shell.run("ffprobe", arguments).output)
        guard let found = report.streams.first(where: { $0.index == stream }),
            let rate = found.sample_rate.flatMap({ Int($0) }), let channels = found.channels
        else { throw NoAnswer(description: "no sound stream \(stream) in \(path)") }
        let decoded = try await SoundFile.decode(path, stream: stream)
        let told = report.format.format_name.contains("mp4") ? found.duration_ts : nil
        facts = AudioStreamFacts(
            streamIndex: stream,
            codec: found.codec_name,
            profile: nil,
            sampleRate: rate,
            channels: channels,
            channelLayout: found.channel_layout ?? "\(channels) channels",
            start: .zero,
            sampleCount: told ?? Int64(decoded.count / channels),
            language: nil,
            isDefault: true
        )
    }

    /// What the ffmpeg command decodes, interleaved.
    static func decode(_ path: String, stream: Int) async throws -> [Float] {
        let data = try await Shell.ffmpeg(["-i", path, "-map", "0:\(stream)", "-c:a", "pcm_f32le", "-f", "f32le", "-"])
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    func source() throws -> RenderSource {
        let facts = AssetFacts(container: "", byteCount: 0, video: [], audio: [facts])
        return RenderSource(bytes: try FileByteSource(path: path), facts: facts, indexes: [:])
    }

    private struct Report: Decodable {
        struct Stream: Decodable {
            var index: Int
            var codec_name: String
            var sample_rate: String?
            var channels: Int?
            var channel_layout: String?
            var duration_ts: Int64?
        }

        struct Format: Decodable {
            var format_name: String
        }

        var streams: [Stream]
        var format: Format
    }
}

/// What a sound task was rendered to.
struct RenderedSound {
    let header: PacketFileHeader
    let packets: [CodedPacket]
    let progress: [Int]
    let warnings: [Failure]
    let path: String

    /// Renders `task` in `folder`.
    init(_ task: SoundTask, _ files: [SoundFile], in folder: TemporaryFolder) throws {
        try self.init(task, sources: files.map { try $0.source() }, in: folder)
    }

    init(_ task: SoundTask, sources: [RenderSource], in folder: TemporaryFolder) throws {
        let path = folder.path("\(UUID().uuidString).packets")
        var progress: [Int] = []
        var warnings: [Failure] = []
        let count = try SoundRenderer.render(
            task,
            sources: sources,
            to: path,
            scratchFolder: folder.url.path,
            progress: { progress.append($0) },
            warn: { warnings.append($0) }
        )
        precondition(count == task.sampleCount)
        (self.progress, self.warnings) = (progress, warnings)
        self.path = path
        let reader = try PacketFileReader(path: path)
        header = reader.header
        var packets: [CodedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        self.packets = packets
    }

    /// All packets' bytes: for PCM the samples.
    var bytes: Data { packets.reduce(into: Data()) { $0.append($1.data) } }

    /// PCM only: steps of 24 bits, interleaved.
    var steps: [Int32] {
        let bytes = [UInt8](bytes)
        return stride(from: 0, to: bytes.count, by: 3).map { place in
            let bits = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            return Int32(bitPattern: bits << 8) >> 8
        }
    }
}

/// A tool that a test rests on gave no answer.
struct NoAnswer: Error, CustomStringConvertible {
    let description: String
}
