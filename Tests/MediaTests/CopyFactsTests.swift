import Bitstream
import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// What the probe says of copying a stream's pictures, against the stream's packets as FFmpeg's tools give them.
@Suite struct CopyFactsTests {
    private static func coded(_ parameters: String, frames: Int = 130, _ more: [String] = []) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "\(frames)", "-c:v", "libx264"]
            + ["-preset", "veryfast", "-pix_fmt", "yuv420p", "-x264-params", parameters + ":scenecut=0"] + more
    }

    /// Every pair of an entry and an end, tried out: the packets between them hold exactly the frames between them.
    @Test(arguments: [
        ("a.mp4", "keyint=30:bframes=5:b-pyramid=normal"), ("b.mkv", "keyint=250:bframes=3"),
        ("c.ts", "keyint=25:bframes=2:slices=4"), ("d.mp4", "keyint=40:open-gop=1:bframes=3"), ("e.mov", "keyint=1"),
        ("f.mp4", "keyint=30:bframes=0"), ("g.h264", "keyint=45:bframes=4:cabac=0"), ("h.avi", "keyint=20:bframes=2"),
    ])
    func entriesAndEnds(file: String, parameters: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(file)
        try await Shell.ffmpeg(Self.coded(parameters) + [path])
        let video = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo)
        let copy = try #require(video.copy)
        let packets = try await decodeOrder(path, as: video)
        #expect(packets.count == 130 && copy.obstacles.isEmpty, "\(copy.obstacles)")
        #expect(copy.stretches.map(\.frames) == [FrameRange(start: 0, count: 130)])
        let stretch = try #require(copy.stretches.first)
        let entries = packets.indices.filter { packets[$0].isIDR }
        let found = stretch.entries.frames
        if parameters.contains("open-gop=1") {
            #expect(found == [0, 40, 80, 120])
        } else {
            #expect(found == entries.map { packets[$0].frame })
        }
        var ends: Set<Int64> = []
        for entry in entries {
            var frames: Set<Int64> = []
            for packet in packets[entry...] {
                frames.insert(packet.frame)
                let first = packets[entry].frame
                if frames == Set(first..<first + Int64(frames.count)) { ends.insert(first + Int64(frames.count)) }
            }
        }
        #expect(stretch.ends.frames == ends.sorted())
        #expect(copy.forms.map(\.size) == [PictureSize(width: 128, height: 96)])
    }

    /// The packets in decode order: whether each is an IDR picture by its NAL units, and the frame that it holds.
    private func decodeOrder(_ path: String, as video: VideoStreamFacts) async throws -> [(isIDR: Bool, frame: Int64)] {
        let filters =
            path.hasSuffix(".h264") || path.hasSuffix(".ts") || path.hasSuffix(".avi") ? "" : "h264_mp4toannexb,"
        let stream = try await Shell.ffmpeg(
            ["-i", path, "-c", "copy", "-bsf:v", filters + "h264_metadata=aud=insert", "-f", "h264", "-"]
        )
        var isIDR: [Bool] = []
        for nal in AnnexB.units(of: [UInt8](stream)[...]) {
            switch nal[nal.startIndex] & 31 {
            case 9: isIDR.append(false)
            case 5: isIDR[isIDR.count - 1] = true
            default: break
            }
        }
        // coded_picture_number counts pictures as they are decoded; frames come out as they are shown.
        let entries = ["-v", "error", "-show_entries", "frame=coded_picture_number", "-of", "csv=p=0", path]
        let shown = try await Shell.run("ffprobe", entries).text.split(separator: "\n").compactMap {
            Int($0.split(separator: ",").first ?? "")
        }
        // The numbers begin anew at each IDR picture.
        var frames = [Int64](repeating: -1, count: isIDR.count)
        var base = 0
        for (frame, number) in shown.enumerated() {
            if number == 0, frame > 0 { base = frame }
            if base + number < frames.count { frames[base + number] = Int64(frame) }
        }
        return zip(isIDR, frames).map { ($0, $1) }
    }

    @Test(arguments: [
        ("keyint=30:tff=1", "interlaced"), ("keyint=250:intra-refresh=1", ""),
    ])
    func whatCannotBeCopiedIsSaid(parameters: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.coded(parameters) + [folder.path("a.mp4")])
        let copy = try #require(
            try AssetProbe.probe(FileByteSource(path: folder.path("a.mp4"))).facts.defaultVideo?.copy
        )
        #expect(copy.obstacles.map(\.reason.rawValue) == (reason.isEmpty ? [] : [reason]))
        #expect(copy.stretches.isEmpty == !reason.isEmpty)
        // Intra refresh has one IDR picture, its first.
        if reason.isEmpty { #expect(copy.stretches.map(\.entries.frames) == [[0]]) }
    }

    @Test func codecsThatAreNotReadHaveNone() async throws {
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "10"]
        try await Shell.ffmpeg(source + ["-c:v", "mpeg4", folder.path("a.mp4")])
        #expect(try AssetProbe.probe(FileByteSource(path: folder.path("a.mp4"))).facts.defaultVideo?.copy == nil)
    }

    /// Two streams behind each other in a transport stream, with parameter sets under the same ids: each is a stretch
    /// with the sets that are in force there.
    @Test func parameterSetsInBandBeginAStretch() async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.coded("keyint=25:cabac=0") + ["-f", "h264", folder.path("a.h264")])
        try await Shell.ffmpeg(Self.coded("keyint=25:ref=5:bframes=0") + ["-f", "h264", folder.path("b.h264")])
        let joined = try ["a.h264", "b.h264"].reduce(into: Data()) {
            $0 += try Data(contentsOf: URL(fileURLWithPath: folder.path($1)))
        }
        try joined.write(to: URL(fileURLWithPath: folder.path("c.h264")))
        let copy = try #require(
            try AssetProbe.probe(FileByteSource(path: folder.path("c.h264"))).facts.defaultVideo?.copy
        )
        #expect(copy.obstacles.isEmpty && copy.forms.count == 2, "\(copy.obstacles)")
        #expect(copy.stretches.map(\.frames) == [0, 130].map { FrameRange(start: $0, count: 130) })
        #expect(copy.stretches.map(\.form) == [0, 1])
        let isCABAC = try copy.forms.map { form in
            try H264ParameterSets(AVCConfiguration([UInt8](form.configuration)[...])).pps.values.map(\.isCABAC)
        }
        #expect(isCABAC == [[false], [true]])
    }

    /// An edit list that begins within a group hides the pictures before it: the group cannot be copied.
    @Test func hiddenPicturesAreNotCopied() async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.coded("keyint=25:bframes=2") + [folder.path("a.mp4")])
        try await Shell.ffmpeg(["-ss", "0.4", "-i", folder.path("a.mp4"), "-c", "copy", folder.path("b.mp4")])
        let video = try #require(try AssetProbe.probe(FileByteSource(path: folder.path("b.mp4"))).facts.defaultVideo)
        #expect(video.hiddenFrameCount == 10 && video.frameCount == 120)
        let copy = try #require(video.copy)
        #expect(copy.stretches.map(\.frames) == [FrameRange(start: 15, count: 105)])
        #expect(Set(copy.obstacles.map(\.reason)) == [.hidden, .noEntry], "\(copy.obstacles)")
    }

    /// The mean of the P and B pictures, of I pictures where there are no others, as FFmpeg reads the slices' headers.
    @Test(arguments: ["keyint=30:bframes=3:qp=27", "keyint=1:crf=30", "keyint=40:bframes=2:slices=4:crf=31"])
    func theQuantiserIsThatOfTheSlices(parameters: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try await Shell.ffmpeg(Self.coded(parameters, frames: 60) + [path])
        let trace = ["-nostdin", "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
        let lines = try await Shell.run("ffmpeg", trace).errors.split(separator: "\n")
        var (initial, isIntra): (Double, Bool) = (26, false)
        var (inter, intra): ([Double], [Double]) = ([], [])
        for line in lines {
            guard let value = line.split(separator: "=").last.flatMap({ Double($0.filter { $0 != " " }) }) else {
                continue
            }
            if line.contains("pic_init_qp_minus26") { initial = 26 + value }
            if line.contains(" slice_type ") { isIntra = Int(value) % 5 == 2 }
            guard line.contains(" slice_qp_delta ") else { continue }
            if isIntra { intra.append(initial + value) } else { inter.append(initial + value) }
        }
        let counted = inter.isEmpty ? intra : inter
        let mean = counted.reduce(0, +) / Double(max(counted.count, 1))
        let video = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo)
        let found = try #require(video.copy?.quantiserThousandths)
        #expect(abs(Double(found) - mean * 1000) < 1 && mean > 10, "\(found) and \(mean)")
    }

    @Test(arguments: [("a.mov", "qt  " as String?), ("a.mp4", "isom"), ("a.mkv", nil)])
    func theBrandSaysQuickTime(file: String, brand: String?) async throws {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(Self.coded("keyint=30", frames: 10) + [folder.path(file)])
        #expect(try AssetProbe.probe(FileByteSource(path: folder.path(file))).facts.brand == brand)
    }
}
