import Testing

@testable import Rendering

@Suite struct SampleRangesTests {
    @Test func rangesThatTouchOrOverlapBecomeOne() {
        let ranges = SampleRanges([50..<60, 0..<10, 10..<12, 5..<8, 55..<70, 30..<30])
        #expect(ranges.ranges == [0..<12, 50..<70])
        #expect(ranges.sampleCount == 32)
        #expect(ranges.end == 70)
        #expect(SampleRanges([]).end == 0)
    }

    @Test func intersectionsKnowTheirRank() {
        let ranges = SampleRanges([10..<20, 30..<40, 50..<60])
        let parts = ranges.intersections(with: 15..<55)
        #expect(parts.map(\.samples) == [15..<20, 30..<40, 50..<55])
        #expect(parts.map(\.rank) == [5, 10, 20])
        #expect(ranges.intersections(with: 20..<30).isEmpty)
        #expect(ranges.intersections(with: 60..<99).isEmpty)
        #expect(ranges.intersections(with: 12..<12).isEmpty)
    }
}
