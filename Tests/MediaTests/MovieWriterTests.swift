import CompositionModel
import Foundation
import Media
import TestSupport
import Testing
import Timing

/// Movies whose every number comes back exactly.
struct MovieWriterTests {
    static func rate() throws -> FrameRate { try FrameRate(30000, 1001) }
    static let aac = AudioEncoding(codec: .aac, bitRate: 128_000)

    /// `frames` pictures and as much sound, in batches of two seconds.
    static func write(_ path: String, frames: Int, container: Container = .mp4) throws {
        let encoding = container == .mp4 ? VideoEncoderTests.h264 : VideoEncoderTests.ffv1
        let (pictures, extradata) = try VideoEncoderTests.encode(encoding, frames: 0..<frames)
        let samples = try Int(rate().sample(ofFrame: Int64(frames), sampleRate: 44100))
        let sound = container == .mp4 ? aac : AudioEncoding(codec: .pcm24, bitRate: nil)
        let encoder = try AudioEncoder(encoding: sound, sampleRate: 44100, channels: 2)
        let packets =
            container == .mp4
            ? try encoder.send(interleaved: tone(samples)) + encoder.finish()
            : try stride(from: 0, to: samples, by: 4410).flatMap { start in
                try encoder.send(interleaved: integers(start..<min(start + 4410, samples)))
            }
        let writer = try MovieWriter(
            path: path,
            container: container,
            video: .init(
                codec: encoding.codec,
                size: TestPictures.size,
                color: .bt709,
                frameRate: rate(),
                extradata: extradata
            ),
            audio: .init(
                codec: sound.codec,
                sampleRate: 44100,
                channels: 2,
                extradata: encoder.extradata,
                priming: encoder.priming,
                frameSize: encoder.frameSize,
                bitRate: 128_000
            )
        )
        try interleave(pictures, packets, into: writer)
    }

    private static func interleave(
        _ pictures: [EncodedPacket],
        _ sound: [EncodedPacket],
        into writer: MovieWriter
    ) throws {
        let delay = try #require(pictures.map(\.dts).min())
        var (picture, packet) = (0, 0)
        while picture < pictures.count || packet < sound.count {
            for _ in 0..<60 where picture < pictures.count {
                var next = pictures[picture]
                next.dts = Int64(picture) + delay
                try writer.write(next, to: .video)
                picture += 1
            }
            for _ in 0..<86 where packet < sound.count {
                try writer.write(sound[packet], to: .audio)
                packet += 1
            }
        }
        try writer.finish()
    }

    private static func tone(_ count: Int) -> [Float] {
        (0..<count).flatMap { sample in (1...2).map { sinf(Float(sample * $0) * 0.05) * 0.5 } }
    }

    private static func integers(_ range: Range<Int>) -> [Int32] {
        range.flatMap { [Int32($0 % 8_000_000), Int32(-$0 % 8_000_000)] }
    }

    @Test func mp4IsExact() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try Self.write(path, frames: 301)
        let probe = try await Shell.run(
            "ffprobe",
            [
                "-v", "error", "-count_packets", "-show_entries",
                "stream=codec_name,start_pts,duration_ts,nb_read_packets,r_frame_rate,time_base,color_space,"
                    + "color_range,color_primaries,color_transfer",
                "-of", "csv=p=0", path,
            ]
        ).text
        let lines = probe.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        #expect(lines[0] == ["h264", "tv", "bt709", "bt709", "bt709", "30000/1001", "1/30000", "0", "301301", "301"])
        // 301 × 1001/30000 s × 44100 = 442,911.5 samples, half away from zero.
        #expect(lines[1].prefix(7) == ["aac", "0/0", "1/44100", "0", "442912", "434"])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let (moov, mdat) = (data.firstRange(of: Data("moov".utf8)), data.firstRange(of: Data("mdat".utf8)))
        #expect(try #require(moov).lowerBound < #require(mdat).lowerBound)
        #expect(data.firstRange(of: Data("colrnclx".utf8)) != nil)
    }

    @Test(arguments: [Container.mp4, .matroska])
    func sameBytesTwice(container: Container) throws {
        let folder = try TemporaryFolder()
        let paths = ["a", "b"].map { folder.path($0) }
        for path in paths { try Self.write(path, frames: 100, container: container) }
        let files = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(files[0] == files[1])
        #expect(files[0].firstRange(of: Data("Lavf59".utf8)) == nil)
    }

    /// Interleaved to 2 s: no moment's sound is further than one batch from its picture.
    @Test func batchesBecomeChunks() async throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.path("a.mp4"), frames: 301)
        let text = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "packet=stream_index,pos", "-of", "csv=p=0", folder.path("a.mp4")]
        ).text
        let order = text.split(separator: "\n").compactMap { line -> (Int, Int)? in
            let parts = line.split(separator: ",").compactMap { Int($0) }
            return parts.count == 2 ? (parts[1], parts[0]) : nil
        }.sorted { $0.0 < $1.0 }.map(\.1)
        let turns = zip(order, order.dropFirst()).count { $0 != $1 }
        #expect(turns == 11)
    }

    @Test func pcmComesBack() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mkv")
        try Self.write(path, frames: 30, container: .matroska)
        let pcm = try await Shell.ffmpeg(["-i", path, "-map", "0:a", "-f", "s24le", "-"])
        #expect(pcm.count == 44144 * 6)
        let sample = 30_000
        #expect(Int(pcm[sample * 6]) | Int(pcm[sample * 6 + 1]) << 8 | Int(pcm[sample * 6 + 2]) << 16 == sample)
    }

    @Test func unwritableFolderIsOneSentence() {
        #expect(throws: MediaError.self) {
            try MovieWriter(path: "/nonexistent/a.mp4", container: .mp4, video: nil, audio: nil)
        }
    }

    /// A writer of one H.264 track.
    private func pictureWriter(_ path: String, _ container: Container, _ extradata: Data) throws -> MovieWriter {
        try MovieWriter(
            path: path,
            container: container,
            video: .init(
                codec: .h264,
                size: TestPictures.size,
                color: .bt709,
                frameRate: Self.rate(),
                extradata: extradata
            ),
            audio: nil
        )
    }

    /// A full disk is waited for, or told with its own exit code: it is no other failure of writing.
    @Test func aFullDiskIsToldAsOne() throws {
        let (packets, extradata) = try VideoEncoderTests.encode(VideoEncoderTests.h264, frames: 0..<3)
        let error = #expect(throws: MediaError.self) {
            let writer = try pictureWriter("/dev/full", .matroska, extradata)
            for packet in packets { try writer.write(packet, to: .video) }
            try writer.finish()
        }
        #expect(error?.failure.code == "no_space", "\(error?.failure.message ?? "")")
    }

    @Test func risingTimesAreRequired() throws {
        let folder = try TemporaryFolder()
        let (packets, extradata) = try VideoEncoderTests.encode(VideoEncoderTests.h264, frames: 0..<3)
        let writer = try pictureWriter(folder.path("a.mp4"), .mp4, extradata)
        try writer.write(packets[0], to: .video)
        #expect(throws: MediaError.self) { try writer.write(packets[0], to: .video) }
        #expect(throws: MediaError.self) { try writer.write(packets[1], to: .audio) }
    }
}
