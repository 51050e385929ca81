import Timing

extension Composition {
    /// What is wrong with this composition by itself, as AV Foundation's validation would say it: instructions with a
    /// hole, an overlap or an end before the timeline's, unknown tracks, pieces that overlap, numbers out of range.
    ///
    /// No field is trusted: a composition may come straight from a file. Without an error here, planning cannot trap.
    /// - Returns: findings with JSON Pointers and no line, no more of them than anyone reads.
    public func findings() -> [Finding] {
        let list = checked()
        return list.findings + list.summary
    }

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

/// One check of a composition; its parts are in files named for what they look at.
struct CompositionCheck {
    let composition: Composition
    private(set) var findings = FindingShortlist()

    init(_ composition: Composition) { self.composition = composition }

    /// Every nested edit by itself: it sees those before it only.
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

    /// Notes an error.
    mutating func report(_ rule: FindingRule, _ pointer: String, _ message: String) {
        findings.add(Finding(rule: rule, pointer: pointer, line: 0, column: 0, message: message))
    }

    /// The most frames that a timeline may have.
    var mostFrames: Int64 {
        let rate = composition.format.frameRate
        let whole = try? rate.frame(at: RationalTime(whole: Limits.longestSeconds), rounding: .down).value
        return whole ?? 0
    }

    /// Notes an error unless `range` is not empty, not negative and ends within the limits.
    /// - Returns: whether it is so: then `range.end` can be taken.
    mutating func isSound(_ range: FrameRange, at pointer: String) -> Bool {
        guard range.start >= 0, range.count > 0 else {
            report(.rangeInvalid, pointer, "frames \(range.text) begin before 0 or are none")
            return false
        }
        guard range.start <= mostFrames, range.count <= mostFrames else {
            report(.tooLong, pointer, "frames \(range.text) are past the limit of \(mostFrames) frames")
            return false
        }
        return true
    }
}

extension FrameRange {
    /// For messages; never traps.
    var text: String { "start \(start), count \(count)" }
}
