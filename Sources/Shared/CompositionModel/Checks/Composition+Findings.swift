import Timing

extension Composition {
    /// The errors of this composition by itself, as AV Foundation's validation would report them: instructions with a
    /// hole, an overlap or an end before the timeline's, unknown tracks, pieces that overlap, and numbers out of range.
    ///
    /// No field is trusted: a composition may come straight from a file. If no error is found, planning cannot trap.
    /// - Returns: Findings with JSON Pointers and line 0, at most as many as ``FindingShortlist`` lists, then one that
    ///   counts the rest.
    package func findings() -> [Finding] {
        let list = checked()
        return list.findings + list.summary
    }

    /// The findings of ``findings()`` as a list that can be added to another.
    package func checked() -> FindingShortlist {
        var check = CompositionCheck(self)
        check.whole()
        check.videoTrackSegments()
        check.audioTrackSegments()
        check.sound()
        check.titleTrackSegments()
        check.instructionOrder()
        check.layers()
        check.outputSettings()
        check.nestedEdits()
        return check.findings
    }
}

/// One check of a composition. Its parts are in files named for what they check.
struct CompositionCheck {
    let composition: Composition
    private(set) var findings = FindingShortlist()

    init(_ composition: Composition) { self.composition = composition }

    /// Checks every nested edit by itself; it may refer only to nested edits before it.
    mutating func nestedEdits() {
        let nested = composition.nested ?? []
        guard nested.count <= Limits.mostNestedEdits else {
            return report(.tooMany, "/nested", "\(nested.count) nested edits are over the limit")
        }
        var depths: [Int] = []
        for (index, edit) in nested.enumerated() {
            let inner = edit.nestedEdits.filter(depths.indices.contains).map { depths[$0] }
            depths.append(1 + (inner.max() ?? 0))
            if depths[index] > Limits.nesting {
                report(.limit, "/nested/\(index)", "edits are nested more than \(Limits.nesting) deep here")
            }
            var check = CompositionCheck(composition.nestedComposition(index))
            check.whole()
            check.videoTrackSegments()
            check.audioTrackSegments()
            check.sound()
            check.titleTrackSegments()
            check.instructionOrder()
            check.layers()
            for var finding in check.findings.findings {
                finding.pointer = "/nested/\(index)" + finding.pointer
                findings.add(finding)
            }
            findings.leaveOut(of: check.findings)
        }
    }

    /// Adds an error.
    mutating func report(_ rule: FindingRule, _ pointer: String, _ message: String) {
        findings.add(Finding(rule: rule, pointer: pointer, line: 0, column: 0, message: message))
    }

    /// The most frames that a timeline may have.
    var mostFrames: Int64 {
        let rate = composition.format.frameRate
        let whole = try? rate.frame(at: RationalTime(whole: Limits.longestSeconds), rounding: .down).value
        return whole ?? 0
    }

    /// Adds an error unless `range` is not empty, not negative and within the limits.
    /// - Returns: Whether the range is valid; only then may `range.end` be computed.
    mutating func isSound(_ range: FrameRange, at pointer: @autoclosure () -> String) -> Bool {
        guard range.start >= 0, range.count > 0 else {
            report(.rangeInvalid, pointer(), "frames \(range.text) begin before 0 or are none")
            return false
        }
        guard range.start <= mostFrames, range.count <= mostFrames else {
            report(.tooLong, pointer(), "frames \(range.text) are past the limit of \(mostFrames) frames")
            return false
        }
        return true
    }
}

extension FrameRange {
    /// The range for messages; it never traps, even where `end` would overflow.
    var text: String { "start \(start), count \(count)" }
}
