import Bitstream
import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// Pictures as they are copied, out of files that say in unusual ways where they are and with which parameter sets.
@Suite struct CopiedPicturesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func coded(_ name: String, _ parameters: String, _ more: [String] = []) async throws -> String {
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25,hue=h=\(name.count * 30)", "-frames:v", "60", "-c:v",
                "libx264",
            ]
                + ["-preset", "veryfast", "-pix_fmt", "yuv420p", "-x264-params", parameters + ":keyint=20:scenecut=0"]
                + more + [folder.path(name)]
        )
        return folder.path(name)
    }

    private func hashes(_ path: String) async throws -> [String] {
        let text = try await Shell.ffmpeg(["-i", path, "-fps_mode", "passthrough", "-f", "framehash", "-"])
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What ffmpeg decodes of a whole stretch as it is copied, and the types of its NAL units.
    private func copied(
        _ path: String,
        _ stretch: CopyStretch,
        _ facts: CopyFacts
    ) async throws -> (hashes: [String], types: Set<Int>) {
        let source = try FileByteSource(path: path)
        let index = try #require(try AssetProbe.probe(source).indexes.first)
        let configuration = facts.forms[stretch.form].configuration
        var copier = try PictureCopying.copier(
            of: .h264,
            from: CopiedStream(source, index: index),
            frames: stretch.frames,
            configuration: configuration
        )
        var (stream, types): (Data, Set<Int>) = (try PictureCopying.header(configuration, codec: .h264), [])
        while let packet = try copier.next() {
            types.formUnion(AnnexB.units(of: [UInt8](packet.data)[...]).map { Int($0[$0.startIndex] & 31) })
            stream += packet.data
        }
        let raw = folder.path("copied.h264")
        try stream.write(to: URL(fileURLWithPath: raw))
        return (try await hashes(raw), types)
    }

    private func facts(_ path: String) throws -> CopyFacts {
        try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy)
    }

    /// Delimiters, filler data, ends of sequence and of stream, and parameter sets before each IDR picture.
    @Test(arguments: ["avc1", "avc3"]) func unitsThatAreNoPictureAreLeftOut(tag: String) async throws {
        let plain = try await coded("plain.h264", "repeat-headers=1:bframes=0")
        var units: [[UInt8]] = []
        var isFirst = true
        for nal in AnnexB.units(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain)))[...]) {
            let type = nal[nal.startIndex] & 31
            // Before the SPS of each sequence but the first: its predecessor ends.
            if type == 7 {
                if !isFirst { units += [[0x0A], [0x0B]] }
                isFirst = false
            }
            units.append(Array(nal))
            if type == 1 || type == 5 { units.append([0x0C] + [UInt8](repeating: 0xFF, count: 20) + [0x80]) }
        }
        let patched = folder.path("patched.h264")
        try Data(AnnexB.stream(of: units.map { $0[...] })).write(to: URL(fileURLWithPath: patched))
        let path = folder.path("a.mp4")
        let filter = ["-bsf:v", "h264_metadata=aud=insert", "-tag:v", tag]
        try await Shell.ffmpeg(["-r", "25", "-i", patched, "-c", "copy"] + filter + [path])
        let present = try await ISOMovie.samples(of: path).flatMap { sample in
            try LengthPrefix.four.units(of: sample[...]).map { Int($0[$0.startIndex] & 31) }
        }
        #expect(Set(present).isSuperset(of: [7, 8, 9, 12]), "\(Set(present))")
        let copy = try facts(path)
        let stretch = try #require(copy.stretches.first)
        #expect(copy.obstacles.isEmpty && stretch.frames.count == 60, "\(copy)")
        let found = try await copied(path, stretch, copy)
        #expect(found.hashes == (try await hashes(plain)) && found.hashes.count == 60)
        #expect(found.types == [1, 5], "\(found.types)")
    }

    /// A movie whose second half has a sample entry of its own, with other parameter sets under the same ids.
    @Test func eachSampleEntryHasItsOwnParameterSets() async throws {
        let first = try await coded("a.mp4", "cabac=0:bframes=0")
        let second = try await coded("bb.mp4", "ref=5:bframes=2:weightp=2")
        let third = folder.path("c.mp4")
        let list = folder.path("list.txt")
        try Data("file '\(first)'\nfile '\(second)'\n".utf8).write(to: URL(fileURLWithPath: list))
        try await Shell.ffmpeg(
            ["-f", "concat", "-safe", "0", "-auto_convert", "0", "-i", list, "-c", "copy", third]
        )
        var movie = ISOMovie([UInt8](try Data(contentsOf: URL(fileURLWithPath: third))))
        let other = ISOMovie([UInt8](try Data(contentsOf: URL(fileURLWithPath: second))))
        movie.setSampleEntries([movie.sampleEntries, other.sampleEntries])
        movie.setSamples(try await ISOMovie.samples(of: third), counts: [60, 60])
        try Data(movie.bytes).write(to: URL(fileURLWithPath: third))
        let copy = try facts(third)
        #expect(copy.obstacles.isEmpty && copy.forms.count == 2, "\(copy.obstacles)")
        #expect(copy.stretches.map(\.frames) == [0, 60].map { FrameRange(start: $0, count: 60) })
        for (stretch, source) in zip(copy.stretches, [first, second]) {
            let found = try await copied(third, stretch, copy)
            #expect(found.hashes == (try await hashes(source)) && found.hashes.count == 60)
        }
    }

    /// Parameter sets that change at an IDR picture within the samples, in MP4 and in a transport stream.
    @Test(arguments: ["c.mp4", "c.ts"]) func parameterSetsChangeInBand(name: String) async throws {
        let first = try await coded("a.h264", "cabac=0:bframes=0:repeat-headers=1")
        let second = try await coded("bb.h264", "ref=5:bframes=0:weightp=2:repeat-headers=1")
        let joined = try [first, second].reduce(into: Data()) { $0 += try Data(contentsOf: URL(fileURLWithPath: $1)) }
        try joined.write(to: URL(fileURLWithPath: folder.path("c.h264")))
        let path = folder.path(name)
        try await Shell.ffmpeg(
            ["-fflags", "+genpts", "-r", "25", "-i", folder.path("c.h264"), "-c", "copy", "-bsf:v", "setts=ts=N*3600"]
                + ["-f", name.hasSuffix("mp4") ? "mp4" : "mpegts", path]
        )
        let copy = try facts(path)
        #expect(copy.obstacles.isEmpty && copy.forms.count == 2, "\(copy.obstacles)")
        #expect(copy.stretches.map(\.frames) == [0, 60].map { FrameRange(start: $0, count: 60) })
        for (stretch, source) in zip(copy.stretches, [first, second]) {
            let found = try await copied(path, stretch, copy)
            #expect(found.hashes == (try await hashes(source)) && found.hashes.count == 60)
        }
    }

    struct EditList: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Start and length in frames of the media, −1 for an empty edit; rate 0 holds a picture.
        let edits: [(start: Int64, count: Int64, rate: UInt16)]
    }

    static let lists = [
        EditList(testDescription: "an empty edit first", edits: [(-1, 10, 1), (0, 60, 1)]),
        EditList(testDescription: "a later start", edits: [(25, 35, 1)]),
        EditList(testDescription: "two pieces", edits: [(0, 20, 1), (40, 20, 1)]),
        EditList(testDescription: "two pieces, the first cut short", edits: [(0, 17, 1), (40, 20, 1)]),
        EditList(testDescription: "two pieces that share pictures", edits: [(0, 40, 1), (20, 40, 1)]),
        EditList(testDescription: "a picture that is held", edits: [(0, 20, 1), (20, 10, 0), (20, 40, 1)]),
        EditList(testDescription: "pieces out of order", edits: [(40, 20, 1), (0, 20, 1)]),
    ]

    /// Whatever an edit list says: what is copied is what is shown.
    @Test(arguments: lists) func editListsDecideWhatIsShown(list: EditList) async throws {
        let plain = try await coded("a.mp4", "bframes=2")
        var movie = ISOMovie([UInt8](try Data(contentsOf: URL(fileURLWithPath: plain))))
        let (ticks, unit) = (movie.timescale(of: "vide"), movie.timescale())
        let delay = movie.firstMediaTime(of: "vide")
        movie.setEdits(
            list.edits.map { edit in
                let start = edit.start < 0 ? -1 : edit.start * ticks / 25 + delay
                return ISOMovie.Edit(duration: edit.count * unit / 25, mediaTime: start, rate: edit.rate)
            },
            of: "vide"
        )
        let path = folder.path("b.mp4")
        try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
        let source = try FileByteSource(path: path)
        let (facts, indexes) = try AssetProbe.probe(source)
        let video = try #require(facts.defaultVideo)
        let copy = try #require(video.copy)
        let reader = try PictureReader(source: source, stream: video, index: indexes[0], threads: 1)
        for stretch in copy.stretches {
            let found = try await copied(path, stretch, copy).hashes
            #expect(found.count == Int(stretch.frames.count))
            let wanted = try (stretch.frames.start..<stretch.frames.end).map { frame in
                try reader.picture(frame: Int(frame)).digest().hex
            }
            #expect(found == wanted)
        }
        let count = copy.stretches.reduce(0) { $0 + $1.frames.count }
        print("\(list): \(count) of \(video.frameCount) frames are copied; \(copy.obstacles)")
    }
}
