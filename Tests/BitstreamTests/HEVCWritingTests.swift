import Bitstream
import Foundation
import TestSupport
import Testing

/// What was read is written as the same bytes, and what was changed decodes to the same pictures.
@Suite struct HEVCWritingTests {
    @Test(arguments: HEVCSample.all) func whatWasReadIsWrittenAsItWas(sample: HEVCSample) async throws {
        var sets = HEVCParameterSets()
        for nal in AnnexB.units(of: try await sample.stream()[...]) {
            try sets.add(nal)
            let type = try HEVCUnitHeader(of: nal).type
            let written: [UInt8]? =
                switch type {
                case .vps: try HEVCVPS(nal).nal()
                case .sps: try HEVCSPS(nal).nal()
                case .pps: try HEVCPPS(nal).nal()
                case .prefixSEI, .suffixSEI: try SEIUnit(nal, headerLength: 2).nal()
                default: type.isSlice ? try HEVCSlice(nal, sets).nal(sets) : nil
                }
            if let written { #expect(written == Array(nal)) }
        }
    }

    /// All parameter sets get other ids, and every slice names another PPS.
    @Test(arguments: Renaming.of(HEVCSample.all, ids: [2, 7])) func otherIdentifiersAreTheSamePictures(
        sample: HEVCSample,
        id: Int
    ) async throws {
        let stream = try await sample.stream()
        var (old, new) = (HEVCParameterSets(), HEVCParameterSets())
        var rewritten: [ArraySlice<UInt8>] = []
        for nal in AnnexB.units(of: stream[...]) {
            try old.add(nal)
            let type = try HEVCUnitHeader(of: nal).type
            var bytes = Array(nal)
            switch type {
            case .vps:
                var vps = try HEVCVPS(nal)
                vps.id += id
                bytes = try vps.nal()
            case .sps:
                var sps = try HEVCSPS(nal)
                sps.vpsID += id
                sps.id += id
                bytes = try sps.nal()
            case .pps:
                var pps = try HEVCPPS(nal)
                pps.spsID += id
                pps.id += id * 9
                bytes = try pps.nal()
            default:
                guard type.isSlice else { break }
                var slice = try HEVCSlice(nal, old)
                slice.header.ppsID += id * 9
                bytes = try slice.nal(new)
            }
            try new.add(bytes[...])
            // Active parameter sets, which x265 writes with an HRD, name the old ids.
            if type != .prefixSEI { rewritten.append(bytes[...]) }
        }
        let frames = try await sample.frames()
        #expect(frames.count == sample.pictures)
        #expect(try await Decoded.frames(AnnexB.stream(of: rewritten), "hevc") == frames)
    }

    /// hevc_metadata writes the VUI that we write.
    @Test func theMetadataFilterReadsWhatWeWrite() async throws {
        let folder = try TemporaryFolder()
        let path = try await HEVCSample.named("HRD").file(in: folder)
        let bytes = try await HEVCSample.named("HRD").stream()
        let filter =
            "hevc_metadata=sample_aspect_ratio=16/11:video_format=1:colour_primaries=9:transfer_characteristics=16:"
            + "matrix_coefficients=9:video_full_range_flag=1:tick_rate=60000/1001:chroma_sample_loc_type=2:level=5.1"
        try await Shell.ffmpeg(["-i", path, "-c", "copy", "-bsf:v", filter, folder.path("b.h265")])
        let theirs = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("b.h265"))))
        let old = AnnexB.units(of: bytes[...])
        let new = AnnexB.units(of: theirs[...])
        func first(_ units: [ArraySlice<UInt8>], _ type: HEVCUnitType) throws -> ArraySlice<UInt8> {
            try #require(try units.first { try HEVCUnitHeader(of: $0).type == type })
        }
        var vps = try HEVCVPS(first(old, .vps))
        vps.profileTierLevel.level = 153
        vps.timing = HEVCTiming(unitsInTick: 1001, timeScale: 60000)
        #expect(try vps.nal() == Array(first(new, .vps)))
        var sps = try HEVCSPS(first(old, .sps))
        var vui = try #require(sps.vui)
        #expect(vui.hrd != nil)
        sps.profileTierLevel.level = 153
        vui.aspectRatio = AspectRatio(width: 16, height: 11)
        let colour = VideoSignal.Colour(primaries: 9, transfer: 16, matrix: 9)
        vui.signal = VideoSignal(format: 1, isFullRange: true, colour: colour)
        vui.timing = HEVCTiming(unitsInTick: 1001, timeScale: 60000)
        vui.chromaLocation = ChromaLocation(top: 2, bottom: 2)
        sps.vui = vui
        #expect(try sps.nal() == Array(first(new, .sps)))
        sps.removeHRD()
        #expect(try HEVCSPS(sps.nal()[...]) == sps && sps.vui?.hrd == nil)
    }

    /// An entry at a CRA picture: RASL pictures left out, the CRA picture made a BLA picture, or an IDR picture with the
    /// counts of what follows moved.
    @Test(arguments: [HEVCUnitType.blaWithoutLeadingPictures, .idrWithoutLeadingPictures])
    func anOpenGOPIsEnteredAtItsCRAPicture(type: HEVCUnitType) async throws {
        let stream = try await HEVCSample.named("open GOP").stream()
        let units = try HEVCAccessUnitTests.accessUnits(of: stream)
        let all = try await HEVCSample.named("open GOP").frames()
        let entries = units.indices.filter { units[$0].entry == .cra }
        #expect(entries.count == 3)
        let parameters = units[0].units.filter { (32...34).contains(Int($0[$0.startIndex] >> 1)) }
        for entry in entries {
            var output = parameters
            var count = 0
            let cra = try #require(units[entry].slices.first)
            for (index, unit) in units[entry...].enumerated() where unit.leading != .skipped {
                // Those of the next open GOP refer to what is here.
                count += 1
                for nal in unit.units where try HEVCUnitHeader(of: nal).type.isSlice {
                    var slice = try HEVCSlice(nal, unit.sets)
                    let sps = try unit.sets.active(pps: slice.header.ppsID).sps
                    if type.isIDR { try slice.header.shift(order: -cra.orderLSB, sps) }
                    if index == 0 { slice.header.unit.type = type }
                    output.append(try slice.nal(unit.sets)[...])
                }
                if let next = entries.first(where: { $0 > entry }), entry + index + 1 == next { break }
            }
            let shown = try await Decoded.frames(AnnexB.stream(of: output), "hevc")
            #expect(shown.count == count && !shown.isEmpty)
            let place = try #require(all.firstIndex(of: shown[0]))
            #expect(shown == Array(all[place..<(place + count)]), "from \(entry) on")
        }
    }
}
