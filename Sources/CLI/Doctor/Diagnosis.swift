/// What `cutfarm doctor` found out about one thing.
struct Diagnosis: Sendable, Hashable {
    /// How it stands with it.
    enum Grade: String, Sendable, Hashable {
        /// It is there.
        case good = "✓"
        /// Something is better with it.
        case doubtful = "!"
        /// Something does not work without it.
        case bad = "✗"
    }

    /// A word or two.
    let name: String
    let grade: Grade
    /// One sentence: what is there, or what is missing and how to get it.
    let sentence: String

    init(_ name: String, _ grade: Grade, _ sentence: String) {
        (self.name, self.grade, self.sentence) = (name, grade, sentence)
    }
}
