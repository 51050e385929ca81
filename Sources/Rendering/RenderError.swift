package import CompositionModel
import Media

/// What stops a rendering or a stitch: a stable code and one sentence, ready for the farm.
package struct RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error as the farm is told it.
    package private(set) var failure: Failure

    /// - Parameters:
    ///   - code: stable, snake case.
    ///   - isPermanent: trying again cannot help.
    package init(_ code: String, _ message: String, isPermanent: Bool = false) {
        failure = Failure(code: code, message: message, isPermanent: isPermanent)
    }

    package init(failure: Failure) { self.failure = failure }

    /// A source cannot be read, `asset` among the farm's, which is named when it is at fault.
    init(_ error: MediaError, of asset: ContentDigest) {
        failure = error.failure
        if error.liesInTheBytes { failure.asset = asset }
    }

    /// `join_damaged`: the parts do not make a movie.
    /// - Parameter what: what a part does that it must not do, a predicate.
    static func damagedJoin(_ what: String) -> RenderError {
        RenderError("join_damaged", "A part \(what); render the parts again.", isPermanent: true)
    }

    /// The bytes of `asset` are at fault.
    mutating func blame(_ asset: ContentDigest) { failure.asset = asset }

    package var description: String { "\(failure.code): \(failure.message)" }
}
