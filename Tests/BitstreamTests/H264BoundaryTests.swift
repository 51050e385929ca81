import Bitstream
import Foundation
import TestSupport
import Testing

/// Where access units begin, and what units of other kinds say, with slices made for it (ITU-T H.264, 7.4.1.2.3).
@Suite struct H264BoundaryTests {
    private let sets: H264ParameterSets
    private let original: H264Slice

    init() async throws {
        let units = AnnexB.units(of: try await H264Sample.named("CAVLC").stream()[...])
        var old = H264ParameterSets()
        for nal in units { try old.add(nal) }
        original = try H264Slice(try #require(units.last { H264UnitType(of: $0) == .slice }), old)
        var (sps, pps) = (H264SPS(), H264PPS())
        (sps.isFrameOnly, sps.log2MaxFrameNum, sps.log2MaxOrderLSB, sps.widthInMacroblocks) = (false, 8, 8, 20)
        sps.heightInMapUnits = 6
        (pps.hasRedundantCount, pps.hasBottomOrder) = (true, true)
        var sets = H264ParameterSets()
        sets.add(sps)
        sets.add(pps)
        var other = pps
        other.id = 1
        sets.add(other)
        self.sets = sets
    }

    private func slice(_ change: (inout H264SliceHeader) -> Void = { _ in }) throws -> ArraySlice<UInt8> {
        var slice = original
        slice.header = H264SliceHeader()
        (slice.header.referenceIDC, slice.header.marking, slice.header.frameNum) = (2, .slidingWindow, 9)
        change(&slice.header)
        return try slice.nal(sets)[...]
    }

    private func accessUnits(_ units: [ArraySlice<UInt8>]) throws -> [H264AccessUnit] {
        var reader = H264AccessUnitReader(sets: sets)
        return try reader.accessUnits(of: units)
    }

    /// Each difference that clause 7.4.1.2.4 lists, and some that are none.
    @Test func differencesOfSlices() throws {
        func differs(
            _ first: (inout H264SliceHeader) -> Void,
            _ second: (inout H264SliceHeader) -> Void
        ) throws -> Bool {
            try accessUnits([slice(first), slice(second)]).count == 2
        }
        func differs(_ second: (inout H264SliceHeader) -> Void) throws -> Bool { try differs({ _ in }, second) }
        #expect(try differs { $0.frameNum = 10 })
        #expect(try differs { $0.ppsID = 1 })
        #expect(try differs { $0.isField = true })
        let bottom: (inout H264SliceHeader) -> Void = { ($0.isField, $0.isBottomField) = (true, true) }
        #expect(try differs({ $0.isField = true }, bottom))
        #expect(try differs { ($0.referenceIDC, $0.marking) = (0, nil) })
        #expect(try !differs { $0.referenceIDC = 3 })
        #expect(try differs { $0.orderLSB = 2 })
        #expect(try differs { $0.orderDeltaBottom = 2 })
        let idr: (inout H264SliceHeader) -> Void = { header in
            header.unitType = .idrSlice
            header.marking = .idr(discardsPrior: false, isLongTerm: false)
        }
        #expect(try differs(idr))
        let other: (inout H264SliceHeader) -> Void = { header in
            idr(&header)
            header.idrID = 1
        }
        #expect(try differs(idr, other))
        #expect(try !differs { ($0.firstMacroblock, $0.typeNumber, $0.qpDelta) = (20, 2, 3) })
        #expect(try !differs { ($0.redundantCount, $0.firstMacroblock) = (1, 0) })
    }

    @Test func unitsBeforeAndBehindAPicture() throws {
        let (sps, pps): (ArraySlice<UInt8>, ArraySlice<UInt8>) = (
            try #require(sets.sps[0]).nal()[...], try #require(sets.pps[0]).nal(chromaFormat: 1)[...]
        )
        let next = try slice { $0.frameNum = 10 }
        let sei: ArraySlice<UInt8> = [6, 5, 1, 7, 0x80]
        let units = try accessUnits([
            [9, 0xF0], sps, pps, sei, slice(), slice { $0.firstMacroblock = 9 }, [12, 0xFF, 0x80], sei, next, [10],
            [11],
            [9, 0x10], next,
        ])
        #expect(units.map { $0.units.count } == [7, 4, 2])
        #expect(units.map { $0.slices.count } == [2, 1, 1] && units.map(\.endsSequence) == [false, true, false])
        #expect(units.map { $0.messages.count } == [1, 1, 0])
        #expect(units.map(\.structure) == [.frame, .frame, .frame])
        for type in [7, 8, 14, 15, 16, 18] {
            var reader = H264AccessUnitReader(sets: sets)
            #expect(try reader.add(slice()) == nil)
            let unit: ArraySlice<UInt8> = type == 7 ? sps : type == 8 ? pps : [UInt8(type), 0, 0x80]
            #expect(try reader.add(unit) != nil, "type \(type)")
        }
    }

    @Test func theFieldsOfAFrameAreTwo() throws {
        let units = try accessUnits([
            slice { $0.isField = true }, slice { ($0.isField, $0.isBottomField) = (true, true) },
        ])
        #expect(units.map(\.structure) == [.topField, .bottomField])
        #expect(units.allSatisfy { $0.features == [.fieldPictures] })
    }

    @Test func featuresOfSlicesAndUnits() throws {
        func features(_ units: ArraySlice<UInt8>...) throws -> Set<H264Feature> {
            try accessUnits(units).reduce(into: []) { $0.formUnion($1.features) }
        }
        let picture = try slice()
        #expect(try features(picture) == [])
        for type: UInt8 in 2...4 { #expect(try features([type, 0x80]) == [.dataPartitioning]) }
        #expect(try features(picture, [19, 0x80]) == [.auxiliaryPictures])
        #expect(try features([14, 0x80, 0x80], picture) == [.scalableLayers])
        #expect(try features([14, 0x40, 0x80], picture) == [.views])
        #expect(try features(picture, [20, 0xC0, 0x80]) == [.scalableLayers])
        #expect(try features(picture, [20, 0x40, 0x80]) == [.views])
        #expect(try features([15, 83, 0x80], picture) == [.scalableLayers])
        #expect(try features([15, 118, 0x80], picture) == [.views])
        #expect(try features(picture, [21, 0x40, 0x80]) == [.views])
        #expect(try features(picture, slice { $0.redundantCount = 2 }) == [.redundantPictures])
        #expect(try features(slice { $0.firstMacroblock = 50 }, picture) == [.arbitrarySliceOrder])
        #expect(try features(slice { $0.typeNumber = 4 }) == [.switchingSlices])
        #expect(
            try features(slice { $0.marking = .adaptive([.makeCurrentLongTerm(index: 0)]) }) == [.longTermReferences]
        )
        let others: [H264ReferenceMarking.Operation] = [.forgetShortTerm(0), .limitLongTerm(0), .forgetAll]
        #expect(try features(slice { $0.marking = .adaptive(others) }) == [])
        let referring = try slice { header in
            (header.typeNumber, header.activeReferences0, header.modifications0) = (0, 1, [.longTerm(0)])
        }
        #expect(try features(referring) == [.longTermReferences])
    }

    @Test func featuresOfParameterSets() {
        var (sps, pps) = (H264SPS(), H264PPS())
        #expect(H264Feature.features(of: pps, sps).isEmpty)
        pps.sliceGroups = H264SliceGroups()
        sps.allowsFrameNumGaps = true
        sps.hasSeparatePlanes = true
        #expect(H264Feature.features(of: pps, sps) == [.sliceGroups, .frameNumGapsAllowed, .separatePlanes])
    }
}
