/// The one reason why nothing of a job is under way.
package struct JobWaiting: Sendable, Hashable, Codable {
    /// A few words without a full stop, such as `No worker connected`.
    package var sentence: String
    /// Sentences that say more, and what to do; nil where there is nothing to add.
    package var detail: String?

    package init(_ sentence: String, detail: String? = nil) {
        self.sentence = sentence
        self.detail = detail
    }
}
