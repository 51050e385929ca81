import CompositionModel
import WireProtocol

/// A row of a manifest, or a file of a watched folder, that may be submitted again. Under the same name and with the
/// same content it gives the same job, on whatever day and by whatever path.
struct SubmittedRow: Sendable {
    /// The target with its `{date}`, or the output or edit as they are written.
    let name: String
    /// The title of its jobs with `{date}` in place of the day; nil is the name of the edit's file.
    var title: String?
    /// Where its movies go, by the position of the output, with `{date}` in place of the day.
    var deliveries: [Int: DeliveryOrder] = [:]
}

extension JobSubmission {
    /// The submission under a key that follows from the row's name and from all that the row says.
    /// - Parameter content: this submission as the row says it on whatever day.
    /// - Throws: `EncodingError`.
    func repeatable(as name: String, saying content: JobSubmission) throws -> JobSubmission {
        var (submission, content) = (self, content)
        content.nested = content.nested?.mapValues(\.withoutPath)
        // The farm compares every word of what is sent under one key, unless it is told that the key has them.
        if content != self { submission.keyCoversContent = true }
        content.idempotencyKey = name
        submission.idempotencyKey = "row-\(ContentDigest(of: try WireJSON.encode(content)).hex)"
        return submission
    }
}

extension NestedSubmission {
    /// The edit without the path by which it was found.
    fileprivate var withoutPath: NestedSubmission {
        var edit = self
        edit.file = ""
        edit.nested = nested?.mapValues(\.withoutPath)
        return edit
    }
}
