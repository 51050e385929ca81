import Bitstream
import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// Streams that no encoder here makes: each has one picture of its kind, which is refused with its reason; what stands
/// before it in its group and the groups beside it are copied.
@Suite struct RefusedPicturesTests {
    /// The picture that is changed, in the group of frames 20 … 39.
    private static let changed = 27

    struct Kind: Sendable, CustomTestStringConvertible {
        let reason: CopyRefusal
        let units: @Sendable (PatchedMovie) throws -> [[UInt8]]
        var testDescription: String { reason.rawValue }

        init(_ reason: CopyRefusal, _ units: @escaping @Sendable (PatchedMovie) throws -> [[UInt8]]) {
            (self.reason, self.units) = (reason, units)
        }
    }

    static let kinds = [
        Kind(.dataPartitioning) { movie in
            // nal_unit_type 2 in place of 1.
            try movie.units(changed).map { nal in
                H264UnitType(of: nal[...]) == .slice ? [nal[0] & ~31 | 2] + nal[1...] : nal
            }
        },
        Kind(.redundantPictures) { movie in
            let own = try movie.units(changed, pps: { $0.hasRedundantCount = true })
            let again = try movie.units(
                changed,
                pps: { $0.hasRedundantCount = true },
                slices: { $0.redundantCount = 1 }
            )
            return own + again.dropFirst()
        },
        Kind(.auxiliaryPictures) { movie in
            try movie.units(changed) + movie.units(changed).suffix(1).map { [$0[0] & ~31 | 19] + $0[1...] }
        },
        Kind(.scalableLayers) { movie in
            // A prefix unit with svc_extension_flag, and a slice of the layer above.
            try [[0x6E, 0x80, 0, 0x07]] + movie.units(changed) + [[0x74, 0x80, 0, 0x07, 0x88]]
        },
        Kind(.views) { movie in try movie.units(changed) + [[0x74, 0x00, 0, 0x07, 0x88]] },
        Kind(.sliceGroups) { movie in
            try movie.units(
                changed,
                pps: { pps in
                    var groups = H264SliceGroups()
                    (groups.count, groups.map) = (2, .dispersed)
                    pps.sliceGroups = groups
                }
            )
        },
        Kind(.arbitrarySliceOrder) { movie in try movie.units(changed).reversed() },
        Kind(.switchingSlices) { movie in
            try movie.units(changed) { header in (header.typeNumber, header.qsDelta) = (3, 0) }
        },
        Kind(.longTermReferences) { movie in
            try movie.units(changed) { $0.marking = .adaptive([.makeCurrentLongTerm(index: 0)]) }
        },
        Kind(.numberingRestart) { movie in try movie.units(changed) { $0.marking = .adaptive([.forgetAll]) } },
        Kind(.frameNumGap) { movie in try movie.units(changed) { $0.frameNum += 2 } },
        Kind(.missingReference) { movie in try movie.units(changed) { $0.modifications0 = [.subtract(9)] } },
        // NAL units of type 28 hold Dolby Vision's metadata beside H.264.
        Kind(.dolbyVision) { movie in try movie.units(changed) + [[0x7C, 0x01, 0x19, 0x08, 0x80]] },
        Kind(.unreadable) { movie in try movie.units(changed).map { Array($0.prefix(2)) } },
    ]

    @Test(arguments: kinds) func onePictureIsRefused(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let movie = try await PatchedMovie(in: folder)
        let path = try movie.write("a.mp4", in: folder, Self.changed, kind.units(movie))
        let copy = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy)
        let first = try #require(copy.obstacles.first)
        #expect(first == CopyObstacle(reason: kind.reason, frame: Int64(Self.changed)), "\(copy.obstacles)")
        // Behind it there is no entry up to the next IDR picture.
        #expect(Set(copy.obstacles.map(\.reason)).isSubset(of: [kind.reason, .noEntry]), "\(copy.obstacles)")
        let frames = [FrameRange(start: 0, count: Int64(Self.changed)), FrameRange(start: 40, count: 20)]
        #expect(copy.stretches.map(\.frames) == frames, "\(copy.stretches)")
        #expect(kind.reason.words.hasPrefix("it"))
    }

    /// The same movie as it is: nothing is refused.
    @Test func thePlainMovieIsCopied() async throws {
        let folder = try TemporaryFolder()
        let movie = try await PatchedMovie(in: folder)
        let path = try movie.write("a.mp4", in: folder, Self.changed, movie.units(Self.changed))
        let copy = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy)
        #expect(copy.obstacles.isEmpty && copy.stretches.map(\.frames) == [FrameRange(start: 0, count: 60)])
    }

    /// Dolby Vision is also what the container says: a box `dvvC` in the sample entry.
    @Test func theBoxOfDolbyVisionIsSeen() async throws {
        let folder = try TemporaryFolder()
        let movie = try await PatchedMovie(in: folder)
        var boxes = ISOMovie([UInt8](try Data(contentsOf: URL(fileURLWithPath: movie.path))))
        var entry = boxes.sampleEntries
        // Version 1.0, profile 9, level 3, RPU and base layer, compatible with SDR (ETSI TS 103 572, A.3).
        let record: [UInt8] = [1, 0, 9 << 1, 3 << 3 | 0b101, 2 << 4] + [UInt8](repeating: 0, count: 19)
        entry += ISOBox("dvvC", record).bytes
        entry.replaceSubrange(0..<4, with: ISOBox.big(UInt64(entry.count), 4))
        boxes.setSampleEntries([entry])
        let path = folder.path("a.mp4")
        try Data(boxes.bytes).write(to: URL(fileURLWithPath: path))
        let copy = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy)
        #expect(copy.stretches.isEmpty && copy.obstacles == [CopyObstacle(reason: .dolbyVision, frame: 0)])
    }

    /// A transport packet is lost in the middle of a picture. The picture before it is marked as damaged, and both are
    /// refused; behind a damaged IDR picture nothing is copied up to the next one.
    @Test(arguments: [(27, [0..<26, 40..<60]), (20, [0..<19, 40..<60])] as [(Int, [Range<Int64>])])
    func aDamagedPacketIsRefused(lost: Int, copied: [Range<Int64>]) async throws {
        let folder = try TemporaryFolder()
        let coding = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"]
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-frames:v", "60"] + coding
                + ["-x264-params", "keyint=20:bframes=0", folder.path("a.ts")]
        )
        var file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.ts"))))
        let entries = ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", folder.path("a.ts")]
        let positions = try await Shell.run("ffprobe", entries).text.split(separator: "\n").compactMap {
            Int($0.split(separator: ",").first ?? "")
        }
        #expect(positions.count == 60 && positions[lost + 1] - positions[lost] >= 188 * 4)
        file.removeSubrange(positions[lost] + 188..<positions[lost] + 376)
        try Data(file).write(to: URL(fileURLWithPath: folder.path("b.ts")))
        let copy = try #require(
            try AssetProbe.probe(FileByteSource(path: folder.path("b.ts"))).facts.defaultVideo?.copy
        )
        #expect(copy.obstacles.first == CopyObstacle(reason: .damaged, frame: Int64(lost - 1)), "\(copy.obstacles)")
        #expect(copy.stretches.map { $0.frames.start..<$0.frames.end } == copied, "\(copy.stretches)")
    }

    /// Field pictures: interlaced by themselves, whatever stands before them.
    @Test func fieldsAreRefused() async throws {
        let folder = try TemporaryFolder()
        let movie = try await PatchedMovie(in: folder, "keyint=20:slices=2:fake-interlaced=1", profile: "main")
        #expect(movie.sets.sps.values.allSatisfy { !$0.isFrameOnly })
        let units = try movie.units(Self.changed) { header in header.isField = true }
        let path = try movie.write("a.mp4", in: folder, Self.changed, units)
        let copy = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy)
        #expect(copy.obstacles.first == CopyObstacle(reason: .fieldPictures, frame: 27), "\(copy.obstacles)")
        #expect(copy.stretches.map(\.frames.count) == [27, 20])
    }

    /// Frames of MBAFF are copied where they say that they are progressive, and refused where one does not.
    @Test(arguments: [nil, changed] as [Int?]) func framesSayThatTheyAreProgressive(interlaced: Int?) async throws {
        let folder = try TemporaryFolder()
        let movie = try await PatchedMovie(in: folder, "keyint=20:slices=2:tff=1", profile: "main")
        let sps = try #require(movie.sets.sps.values.first)
        #expect(sps.isAdaptiveFrameField)
        let path = try movie.write("a.mp4", in: folder) { number, units in
            try units.map { nal in
                guard number != interlaced, H264UnitType(of: nal[...]) == .sei else { return nal }
                var unit = try SEIUnit(nal[...], headerLength: 1)
                unit.messages = try unit.messages.map { message in
                    guard message.kind == .pictureTiming else { return message }
                    var timing = try H264PictureTiming(message.payload, .init(sps))
                    (timing.structure, timing.timecodes) = (0, [nil])
                    return try timing.message(.init(sps)) ?? message
                }
                return unit.nal() ?? nal
            }
        }
        let copy = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultVideo?.copy)
        if let interlaced {
            #expect(copy.obstacles.first == CopyObstacle(reason: .interlaced, frame: Int64(interlaced)))
            #expect(copy.stretches.map(\.frames.count) == [27, 20])
        } else {
            #expect(copy.obstacles.isEmpty && copy.stretches.map(\.frames.count) == [60], "\(copy.obstacles)")
        }
    }
}
