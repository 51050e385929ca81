import CompositionModel
import TestSupport
import Testing
import Timing

@testable import Planning

/// A source writes its members by hand, because plans have very many, and writes all of them: one that was forgotten would
/// be lost between the coordinator and its workers, and would not count for the keys of parts.
@Suite struct WrittenMembersTests {
    private static let appearance: LayerAppearance = {
        var appearance = LayerAppearance()
        appearance.opacity = AnimatedProperty(constant: [500_000])
        return appearance
    }()
    private static let one = RationalTime(whole: 1)

    private static let source = SliceSource(
        asset: 1,
        stream: 2,
        start: one,
        fit: .cover,
        speed: RationalTime(whole: 2),
        curve: RetimeCurve(frames: [0, 9], progress: [0, 18_000_000]),
        appearance: appearance,
        itemTime: one,
        track: appearance,
        trackTime: one,
        isNested: true,
        blending: .frames
    )

    @Test func aSourceWritesAllOfItsMembers() throws {
        let bare = SliceSource(asset: 1, stream: 2, start: .zero, fit: .contain)
        #expect(try WrittenMembers.members(of: Self.source) == WrittenMembers.properties(of: Self.source))
        #expect(try WrittenMembers.members(of: bare) == ["asset", "fit", "start", "stream"])
        for source in [Self.source, bare] { #expect(try WrittenMembers.areRead(source)) }
    }
}
