package import CompositionModel

/// A document that was read, and what is wrong with it.
package struct EditReadResult: Sendable {
    /// The document; nil only when `findings` has an error: no edit is compiled half read.
    package var document: EditDocument?
    /// The document as far as it could be read, also when `findings` has an error. It is there to look for further
    /// findings, never to be compiled.
    package var draft: EditDocument?
    /// The findings in the order of the text.
    package var findings: [Finding]
    /// The places of the values in the text; nil when the text was not read as JSON.
    var places: JSONPlaces?
    /// UTF-8 bytes that parameters have put into this edit, and into those that were counted before.
    package var parameterBytes = 0

    /// `finding` with line and column of the value that its pointer names, when it has none: where the value stands
    /// or, when the text lacks it, the nearest one that encloses it. A finding without a pointer stays as it is: it may
    /// come from the command line.
    package func located(_ finding: Finding) -> Finding {
        guard finding.line == 0, !finding.pointer.isEmpty, let mark = places?.mark(of: finding.pointer) else {
            return finding
        }
        var finding = finding
        (finding.line, finding.column) = (mark.line, mark.column)
        return finding
    }
}
