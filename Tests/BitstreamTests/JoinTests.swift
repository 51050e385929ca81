import Bitstream
import Foundation
import TestSupport
import Testing

/// Spans of several sources behind each other with one list of parameter sets, all under ids of their own, as a sample
/// entry holds them.
@Suite struct JoinTests {
    /// Sources that were made apart and all use the id 0: all parameter sets stand in front, those of the stream are left
    /// out, and the pictures are those of the sources.
    @Test func spansOfSourcesWithTheSameIdentifiers() async throws {
        let names = ["pyramid", "CAVLC", "weights", "8 slices", "Main", "Baseline", "8 slices of CAVLC", "interlaced"]
        var (parameters, pictures): ([ArraySlice<UInt8>], [ArraySlice<UInt8>]) = ([], [])
        var expected: [String] = []
        var all = H264ParameterSets()
        for (id, name) in names.enumerated() {
            let stream = try await H264Sample.named(name).stream()
            expected += try await H264Sample.named(name).frames()
            for unit in try H264AccessUnitTests.accessUnits(of: stream) {
                if id == all.sps.count {
                    var (pps, sps) = try unit.sets.active(pps: 0)
                    (sps.id, pps.id, pps.spsID, sps.level) = (id, id, id, 51)
                    sps.restrict(reorderFrames: 4, frameBuffering: 16)
                    sps.vui?.removeHRD()
                    all.add(sps)
                    all.add(pps)
                    parameters += [try sps.nal()[...], try pps.nal(chromaFormat: 1)[...]]
                }
                for nal in unit.units where H264UnitType(of: nal)?.isSlice == true {
                    var slice = try H264Slice(nal, unit.sets)
                    slice.header.ppsID = id
                    // Two IDR pictures behind each other differ (7.4.3).
                    slice.header.idrID = (slice.header.idrID + 2 * id) % 65_536
                    pictures.append(try slice.nal(all)[...])
                }
            }
        }
        #expect(all.sps.count == names.count)
        let joined = AnnexB.stream(of: parameters + pictures)
        #expect(try await Decoded.frames(joined, "h264") == expected)
        // The record holds them all.
        let record = try AVCConfiguration(all)
        #expect(try H264ParameterSets(AVCConfiguration(record.record()[...])) == all)
    }

    @Test func spansOfHEVCWithTheSameIdentifiers() async throws {
        let names = ["closed GOP", "weights", "wavefronts", "no wavefronts", "matrices", "transform skip"]
        var (parameters, pictures): ([ArraySlice<UInt8>], [ArraySlice<UInt8>]) = ([], [])
        var expected: [String] = []
        var all = HEVCParameterSets()
        for (id, name) in names.enumerated() {
            let stream = try await HEVCSample.named(name).stream()
            expected += try await HEVCSample.named(name).frames()
            for unit in try HEVCAccessUnitTests.accessUnits(of: stream) {
                if id == all.sps.count {
                    var (pps, sps) = try unit.sets.active(pps: 0)
                    var vps = try #require(unit.sets.vps[0])
                    (vps.id, sps.vpsID, sps.id, pps.id, pps.spsID) = (id, id, id, id, id)
                    all.add(vps)
                    all.add(sps)
                    all.add(pps)
                    parameters += [try vps.nal()[...], try sps.nal()[...], try pps.nal()[...]]
                }
                for nal in unit.units where try HEVCUnitHeader(of: nal).type.isSlice {
                    var slice = try HEVCSlice(nal, unit.sets)
                    slice.header.ppsID = id
                    pictures.append(try slice.nal(all)[...])
                }
            }
        }
        let joined = AnnexB.stream(of: parameters + pictures)
        #expect(try await Decoded.frames(joined, "hevc") == expected)
    }
}
