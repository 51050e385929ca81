import Bitstream
import Foundation
import TestSupport
import Testing

/// A stream that is entered at the intra picture of an open GOP, rewritten as IDR picture.
@Suite struct H264IDREntryTests {
    static let options = [
        "bframes=4:b-pyramid=normal:b-adapt=0:ref=4", "bframes=2:b-pyramid=none:ref=1", "bframes=1:ref=5",
        "bframes=3:b-pyramid=strict:ref=3:cabac=0", "bframes=5:b-pyramid=normal:ref=6:slices=4:weightp=2",
        "bframes=8:b-pyramid=normal:ref=16:direct=temporal",
        "bframes=3:b-pyramid=normal:ref=2:weightb=1:cabac=0:slices=3",
    ]

    /// Each entry of the stream in turn, three of them or with `CUTFARM_THOROUGH=1` five: what is shown from it on decodes
    /// to the same pictures, without a word.
    @Test(arguments: options) func theSamePicturesFromEachEntryOn(options: String) async throws {
        let folder = try TemporaryFolder()
        let pictures = TestSeeds.isThorough ? 80 : 52
        let parameters = "keyint=14:min-keyint=14:scenecut=0:open-gop=1:" + options
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=320x192:r=25,noise=alls=10:allf=t:all_seed=5", "-frames:v",
                "\(pictures)", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-threads", "1", "-x264-params", parameters,
                folder.path("a.h264"),
            ]
        )
        let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.h264"))))
        let units = try H264AccessUnitTests.accessUnits(of: stream)
        let all = try await Decoded.frames(stream, "h264")
        #expect(all.count == pictures)
        let entries = units.indices.filter { if case .recoveryPoint = units[$0].entry { true } else { false } }
        #expect(entries.count == pictures / 14)
        let parts = try entries.map { try Self.rewritten(units, from: $0) }
        var shown = try await Decoded.frames(parts.flatMap(\.stream), "h264")[...]
        for (entry, part) in zip(entries, parts) {
            #expect(shown.prefix(part.count) == all.suffix(part.count), "from \(entry) on")
            shown = shown.dropFirst(part.count)
            // A decoder would fill gaps with copies, and say nothing.
            let read = try H264AccessUnitTests.accessUnits(of: part.stream)
            #expect(read.allSatisfy { !$0.features.contains(.frameNumGap) } && read[0].entry == .idr)
        }
        #expect(shown.isEmpty)
    }

    private func header(_ number: Int, _ marking: H264ReferenceMarking = .slidingWindow) -> H264SliceHeader {
        var header = H264SliceHeader()
        (header.frameNum, header.referenceIDC, header.marking, header.typeNumber) = (number, 1, marking, 5)
        return header
    }

    /// I5 B6 P7 P8 in a buffer of two: B6 is dropped, so I5 stays where B6 had pushed it out, and makes room for P8 in the
    /// place of B6.
    @Test func aPictureThatWasPushedOutMakesRoom() throws {
        var sps = H264SPS()
        (sps.maxReferenceFrames, sps.log2MaxFrameNum) = (2, 4)
        var intra = header(5)
        intra.typeNumber = 7
        var entry = try H264IDREntry(entry: intra, sps: sps, id: 2)
        let first = try entry.rewritten(intra)
        #expect(first.isIDR && first.idrID == 2 && first.frameNum == 0)
        #expect(first.marking == .idr(discardsPrior: false, isLongTerm: false))
        try entry.begin(header(6), isDropped: true)
        try entry.begin(header(7), isDropped: false)
        #expect(try entry.rewritten(header(7)).frameNum == 1)
        let last = header(8, .adaptive([.forgetShortTerm(1)]))
        try entry.begin(last, isDropped: false)
        let rewritten = try entry.rewritten(last)
        #expect(rewritten.frameNum == 2 && rewritten.marking == .adaptive([.forgetShortTerm(1)]))
        // With a buffer of three nothing needs to go.
        sps.maxReferenceFrames = 3
        entry = try H264IDREntry(entry: intra, sps: sps, id: 2)
        try entry.begin(header(6), isDropped: true)
        try entry.begin(header(7), isDropped: false)
        try entry.begin(last, isDropped: false)
        #expect(try entry.rewritten(last).marking == .adaptive([]))
    }

    @Test func whatWasNotTriedIsRefused() throws {
        var sps = H264SPS()
        sps.maxReferenceFrames = 4
        var field = header(5)
        field.isField = true
        #expect(throws: BitstreamError.self) { try H264IDREntry(entry: field, sps: sps, id: 0) }
        var intra = header(5)
        intra.typeNumber = 7
        var entry = try H264IDREntry(entry: intra, sps: sps, id: 0)
        #expect(throws: BitstreamError.self) { try entry.rewritten(header(5)) }
        try entry.begin(header(6), isDropped: false)
        var referring = header(6)
        referring.modifications0 = [.longTerm(0)]
        #expect(throws: BitstreamError.self) { try entry.rewritten(referring) }
        referring.modifications0 = [.subtract(2)]
        #expect(throws: BitstreamError.self) { try entry.rewritten(referring) }
        referring.modifications0 = [.subtract(0)]
        #expect(try entry.rewritten(referring).modifications0 == [.subtract(0)])
        #expect(throws: BitstreamError.self) { try entry.rewritten(header(6, .adaptive([.forgetAll]))) }
        let managing = header(7, .adaptive([.forgetShortTerm(1)]))
        #expect(throws: BitstreamError.self) { try entry.begin(managing, isDropped: true) }
    }

    /// The units from `entry` on, leading pictures left out.
    private static func rewritten(_ units: [H264AccessUnit], from entry: Int) throws -> (stream: [UInt8], count: Int) {
        var order = H264PictureOrder()
        let counts = try units.map { unit in
            let first = try #require(unit.slices.first)
            return order.next(first, try unit.sets.active(pps: first.ppsID).sps).value
        }
        let first = try #require(units[entry].slices.first)
        let sets = units[entry].sets
        var numbers = try H264IDREntry(entry: first, sps: sets.active(pps: first.ppsID).sps, id: 3)
        var output = units[0].units.filter { [.sps, .pps].contains(H264UnitType(of: $0)) }
        var count = 0
        for index in entry..<units.count {
            let isDropped = counts[index] < counts[entry]
            if index > entry { try numbers.begin(try #require(units[index].slices.first), isDropped: isDropped) }
            guard !isDropped else { continue }
            count += 1
            for nal in units[index].units where H264UnitType(of: nal)?.isSlice == true {
                var slice = try H264Slice(nal, sets)
                slice.header = try numbers.rewritten(slice.header)
                output.append(try slice.nal(sets)[...])
            }
        }
        return (AnnexB.stream(of: output), count)
    }
}
