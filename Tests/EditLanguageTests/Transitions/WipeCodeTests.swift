import Testing

@testable import CompositionModel
@testable import EditLanguage

/// Wipe codes of SMPTE 258M, as W3C's SMIL 2.0 lists them.
@Suite struct WipeCodeTests {
    /// All codes of the list, from its families.
    private static let codes: Set<Int> = Set(
        [
            1...8, 21...26, 41...48, 61...68, 71...74, 101...114, 119...125, 127...131, 201...207, 211...214, 221...228,
            231...236, 241...246, 251...254, 261...264, 301...306, 310...317, 320...329, 340...345, 350...353,
        ].flatMap { Array($0) }
    )

    /// Each has a look or is said to have none, and nothing else does.
    @Test func everyCodeIsKnown() {
        let (some, none) = (Set(TransitionName.smpte.keys), Set(TransitionName.smpteWithoutEquivalent.keys))
        #expect(some.isDisjoint(with: none))
        #expect(some.union(none) == WipeCodeTests.codes)
        #expect(Set(TransitionName.smpteWithoutEquivalent.values).count == none.count)
    }

    @Test(arguments: [("smpte-107", "arrowHeadWipe up"), ("smpte-8", "cornersOut"), ("smpte-999", "no wipe code 999")])
    func whatHasNoLookIsNamed(name: String, words: String) {
        let text = SampleEdits.video(
            #"{ "asset": "a" }, { "transition": "\#(name)", "duration": "1s" }, { "asset": "a" }"#
        )
        let findings = EditReader.read(text).findings
        #expect(findings.map(\.rule) == ["unknown-value"])
        #expect(findings.first?.message.contains(words) == true, "\(findings)")
    }
}
