import Bitstream
import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// What the probe says of copying HEVC and intra codecs.
@Suite struct WholeCopyFactsTests {
    private static func hevc(_ parameters: String, _ file: String, frames: Int = 130) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "\(frames)", "-c:v", "libx265"]
            + ["-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params"]
            + ["log-level=none:pools=1:frame-threads=1:scenecut=0:" + parameters, file]
    }

    private func copy(_ path: String) throws -> CopyFacts? {
        try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy
    }

    /// Every pair of an entry and an end: what the packets from the entry on hold, without leading pictures that are shown
    /// before it, are exactly the frames between them.
    @Test(arguments: [
        ("a.mp4", "keyint=30:min-keyint=30:open-gop=1:bframes=4:b-adapt=0"),
        ("b.mkv", "keyint=25:open-gop=0:bframes=3"),
        ("c.ts", "keyint=30:min-keyint=30:open-gop=1:bframes=3"),
        ("d.mov", "keyint=30:min-keyint=30:open-gop=0:radl=2:bframes=3"),
        ("e.hevc", "keyint=40:min-keyint=40:open-gop=1:bframes=4"), ("f.mp4", "keyint=1"),
        ("g.mp4", "keyint=30:bframes=0"),
    ])
    func entriesAndEnds(file: String, parameters: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(file)
        try await Shell.ffmpeg(Self.hevc(parameters, path))
        let (facts, indexes) = try AssetProbe.probe(FileByteSource(path: path))
        let copy = try #require(facts.defaultVideo?.copy)
        #expect(copy.obstacles.isEmpty && copy.stretches.map(\.frames) == [FrameRange(start: 0, count: 130)])
        let packets = try await packets(path, try #require(indexes.first))
        #expect(packets.count == 130 && Set(packets.map(\.frame)) == Set(0..<130))
        let stretch = try #require(copy.stretches.first)
        var (entries, ends): (Set<Int64>, Set<Int64>) = ([], [])
        for place in packets.indices where (16...21).contains(packets[place].type) {
            entries.insert(packets[place].frame)
        }
        var shown: Set<Int64> = []
        for packet in packets {
            shown.insert(packet.frame)
            if shown == Set(0..<Int64(shown.count)) { ends.insert(Int64(shown.count)) }
        }
        #expect(stretch.entries.frames == entries.sorted() && stretch.ends.frames == ends.sorted())
        #expect(entries.count > 1)
        if file == "d.mov" { #expect(packets.contains { (6...7).contains($0.type) }, "x265 makes no RADL pictures") }
        if parameters.contains("open-gop=1") { #expect(packets.contains { (8...9).contains($0.type) }) }
    }

    /// In decode order: the type of each picture by its NAL unit, and its frame by the index.
    private func packets(_ path: String, _ index: FrameIndex) async throws -> [(type: Int, frame: Int64)] {
        let stream = try await Shell.ffmpeg(["-i", path, "-c", "copy", "-f", "hevc", "-"])
        var types: [Int] = []
        for nal in AnnexB.units(of: [UInt8](stream)[...]) {
            let type = Int(nal[nal.startIndex] >> 1 & 63)
            // first_slice_segment_in_pic_flag.
            if type < 32, nal[nal.startIndex + 2] & 0x80 != 0 { types.append(type) }
        }
        let numbers = Dictionary(uniqueKeysWithValues: index.shown.enumerated().map { ($1, Int64($0)) })
        return zip(types, index.packets).map { ($0, numbers[$1.pts] ?? -1) }
    }

    /// Streams with something that is not copied, made of a usual one by changing its units.
    @Test(arguments: [
        ("dolbyVision", CopyRefusal.dolbyVision), ("layers", .layers), ("fields", .fieldPictures), ("cut", .unreadable),
        ("interlaced", .interlaced),
    ])
    func whatIsNotCopiedIsSaid(change: String, reason: CopyRefusal) async throws {
        let folder = try TemporaryFolder()
        let usual = folder.path("a.hevc")
        try await Shell.ffmpeg(Self.hevc("keyint=25:open-gop=0:bframes=2", usual, frames: 75))
        #expect(try copy(usual)?.obstacles == [])
        var units = AnnexB.units(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: usual)))[...]).map { Array($0) }
        let slices = units.indices.filter { units[$0][0] >> 1 & 63 < 32 }
        switch change {
        case "dolbyVision": units.insert([62 << 1, 1, 0x19, 8, 9, 0x80], at: slices[40] + 1)
        case "layers": units.insert([1 << 1, 1 << 3 | 1, 0x80, 0x80], at: slices[40] + 1)
        case "cut": units[slices[40]] = Array(units[slices[40]].prefix(3))
        case "fields", "interlaced": units = try units.flatMap { try changed($0, change) }
        default: break
        }
        let path = folder.path("b.hevc")
        try Data(AnnexB.stream(of: units.map { $0[...] })).write(to: URL(fileURLWithPath: path))
        let copy = try #require(try copy(path))
        #expect(copy.obstacles.first?.reason == reason, "\(copy.obstacles)")
        if ["dolbyVision", "layers", "cut"].contains(change) {
            // What is before it in its group is copied, and other groups are.
            #expect(copy.stretches.map(\.frames.start) == [0, change == "cut" ? 49 : 50], "\(copy.stretches)")
        } else {
            #expect(copy.stretches.isEmpty)
        }
    }

    /// Behind a picture that is not copied an open group is one without its skipped leading pictures, which refer to what
    /// no copy has.
    @Test func anOpenGroupBehindARefusedPicture() async throws {
        let folder = try TemporaryFolder()
        let usual = folder.path("a.hevc")
        try await Shell.ffmpeg(Self.hevc("keyint=27:min-keyint=27:open-gop=1:bframes=3:b-adapt=0", usual, frames: 75))
        var units = AnnexB.units(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: usual)))[...]).map { Array($0) }
        let slices = units.indices.filter { units[$0][0] >> 1 & 63 < 32 }
        let key = try #require(slices.dropFirst(31).first { units[$0][0] >> 1 & 63 == 21 })
        let skipped = units[(key + 1)...].prefix { (6...9).contains($0[0] >> 1 & 63) }.count
        units.insert([62 << 1, 1, 0x19, 8, 9, 0x80], at: slices[30] + 1)
        let path = folder.path("b.hevc")
        try Data(AnnexB.stream(of: units.map { $0[...] })).write(to: URL(fileURLWithPath: path))
        let copy = try #require(try copy(path))
        let place = Int64(try #require(slices.firstIndex(of: key)) + skipped)
        #expect(copy.obstacles.map(\.reason) == [.dolbyVision, .noEntry] && skipped > 0)
        #expect(copy.stretches.map(\.frames.start) == [0, place], "\(copy.stretches.map(\.frames))")
    }

    /// A unit as it is with another SPS, and before a picture a message: pic_struct 3, a frame whose top field is first.
    private func changed(_ nal: [UInt8], _ change: String) throws -> [[UInt8]] {
        switch nal[0] >> 1 & 63 {
        case 33:
            var sps = try HEVCSPS(nal[...])
            sps.vui = sps.vui ?? HEVCVUI()
            if change == "fields" { sps.vui?.isFieldSequence = true } else { sps.vui?.hasFieldInformation = true }
            return [try sps.nal()]
        case 0..<32 where change == "interlaced":
            let timing = SEIUnit(header: [39 << 1, 1], messages: [SEIMessage(type: 1, payload: [0x31])])
            return [try #require(timing.nal()), nal]
        default: return [nal]
        }
    }

    /// A stream that begins with an open group after another: its CRA picture begins a copy, and the skipped leading
    /// pictures, which are never shown, are no part of it.
    @Test func aStreamMayBeginWithAnOpenGroup() async throws {
        let folder = try TemporaryFolder()
        let whole = folder.path("a.hevc")
        try await Shell.ffmpeg(
            Self.hevc("keyint=30:min-keyint=30:open-gop=1:bframes=4:b-adapt=0:repeat-headers=1", whole)
        )
        let units = AnnexB.units(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))[...])
        let cra = try #require(units.firstIndex { $0[$0.startIndex] >> 1 & 63 == 21 })
        let sets = units[..<cra].lastIndex { $0[$0.startIndex] >> 1 & 63 == 32 } ?? cra
        let path = folder.path("b.hevc")
        try Data(AnnexB.stream(of: Array(units[sets...]))).write(to: URL(fileURLWithPath: path))
        let (facts, _) = try AssetProbe.probe(FileByteSource(path: path))
        let video = try #require(facts.defaultVideo)
        #expect(
            video.copy?.obstacles == []
                && video.copy?.stretches.map(\.frames) == [FrameRange(start: 0, count: video.frameCount)]
        )
        #expect(video.frameCount == 100)
    }

    @Test(arguments: [
        (["-c:v", "prores_ks", "-flags", "+ildct", "-top", "1"], "a.mov", [CopyRefusal.interlaced]),
        (["-c:v", "prores_ks", "-profile:v", "4", "-pix_fmt", "yuva444p10le"], "a.mov", [.alpha]),
        (["-c:v", "prores_ks"], "a.mov", []),
    ])
    func intraCodecs(coding: [String], file: String, reasons: [CopyRefusal]) async throws {
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "10"]
        try await Shell.ffmpeg(source + coding + [folder.path(file)])
        let copy = try #require(try copy(folder.path(file)))
        #expect(copy.obstacles.map(\.reason) == reasons)
        #expect(copy.stretches.map(\.frames) == (reasons.isEmpty ? [FrameRange(start: 0, count: 10)] : []))
        guard reasons.isEmpty else { return }
        #expect(copy.stretches[0].entries.frames == Array(0..<10) && copy.stretches[0].ends.frames == Array(1...10))
    }

    /// Each picture says whether it has fields: the first ones say it of themselves alone.
    @Test func fieldsBehindProgressivePictures() async throws {
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "10", "-c:v", "prores_ks"]
        try await Shell.ffmpeg(source + [folder.path("a.mov")])
        try await Shell.ffmpeg(source + ["-flags", "+ildct", "-top", "1", folder.path("b.mov")])
        let list = "file a.mov\nfile b.mov\nfile a.mov\n"
        try Data(list.utf8).write(to: URL(fileURLWithPath: folder.path("list")))
        try await Shell.ffmpeg(["-f", "concat", "-i", folder.path("list"), "-c", "copy", folder.path("c.mov")])
        let copy = try #require(try copy(folder.path("c.mov")))
        #expect(copy.obstacles == [CopyObstacle(reason: .interlaced, frame: 10)])
        #expect(copy.stretches.map(\.frames) == [0, 20].map { FrameRange(start: $0, count: 10) })
    }

    /// A picture of another sampling begins a stretch of another form; a still picture is no movie.
    @Test func formsOfMotionJPEG() async throws {
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "10", "-c:v", "mjpeg"]
        var bytes = Data()
        for format in ["yuvj420p", "yuvj422p", "yuvj420p"] {
            bytes += try await Shell.ffmpeg(source + ["-pix_fmt", format, "-f", "mjpeg", "-"])
        }
        try bytes.write(to: URL(fileURLWithPath: folder.path("a.mjpeg")))
        try await Shell.ffmpeg(["-r", "25", "-i", folder.path("a.mjpeg"), "-c", "copy", folder.path("a.mov")])
        let found = try #require(try copy(folder.path("a.mov")))
        #expect(found.stretches.map(\.form) == [0, 1, 0] && found.forms.map(\.chromaFormat) == [1, 2])
        #expect(found.stretches.map(\.frames.start) == [0, 10, 20])
        try await Shell.ffmpeg(source.dropLast(2) + ["-frames:v", "1", folder.path("a.jpg")])
        #expect(try copy(folder.path("a.jpg")) == nil)
    }
}
