import Farm
import Foundation
import Testing
import WireProtocol

/// Identifiers that sort in the order in which they were drawn.
@Suite struct IdentifierSourceTests {
    @Test(arguments: [nil, 1, 2] as [UInt64?]) func thoseOfOneMillisecondSortAsDrawn(seed: UInt64?) {
        let source = seed.map { IdentifierSource(seed: $0) } ?? IdentifierSource()
        let now = FarmTime(milliseconds: 1_700_000_000_000)
        var drawn: [JobID] = []
        for _ in 0..<1000 {
            drawn.append(source.next(at: now))
            let _: TaskID = source.next(at: now)
        }
        #expect(drawn == drawn.sorted() && Set(drawn).count == 1000)
        #expect(drawn.allSatisfy { $0.description.hasPrefix("job_018bcfe5-6800-7") })
        #expect(drawn.allSatisfy { "89ab".contains(variant(of: $0)) })
    }

    /// Two transactions draw in turns, each at its own time.
    @Test func eachOfTwoTimesSorts() {
        let source = IdentifierSource()
        let times = [FarmTime(milliseconds: 2000), FarmTime(milliseconds: 1000)]
        var drawn: [[JobID]] = [[], []]
        for number in 0..<200 { drawn[number % 2].append(source.next(at: times[number % 2])) }
        #expect(drawn[0] == drawn[0].sorted() && drawn[1] == drawn[1].sorted())
        #expect(drawn[1].allSatisfy { $0 < drawn[0][0] })
    }

    @Test func equalSeedsDrawAlike() {
        let (one, other) = (IdentifierSource(seed: 5), IdentifierSource(seed: 5))
        for milliseconds: Int64 in [1, 1, 2, 2, 1] {
            let now = FarmTime(milliseconds: milliseconds)
            #expect(one.next(at: now) as JobID == other.next(at: now))
        }
    }

    private func variant(of id: JobID) -> Character { Array(id.uuid.uuidString.lowercased())[19] }
}
