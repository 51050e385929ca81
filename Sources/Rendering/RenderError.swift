public import CompositionModel
import Media

/// What stops a rendering or a stitch: a stable code and one sentence, ready for the farm.
public struct RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error as the farm is told it.
    public private(set) var failure: Failure

    /// - Parameters:
    ///   - code: stable, snake case.
    ///   - isPermanent: trying again cannot help.
    public init(_ code: String, _ message: String, isPermanent: Bool = false) {
        failure = Failure(code: code, message: message, isPermanent: isPermanent)
    }

    public init(failure: Failure) { self.failure = failure }

    /// A source cannot be read, `asset` among the farm's, which is named when it is at fault.
    init(_ error: MediaError, of asset: ContentDigest) {
        failure = error.failure
        if error.liesInTheBytes { failure.asset = asset }
    }

    /// The bytes of `asset` are at fault.
    mutating func blame(_ asset: ContentDigest) { failure.asset = asset }

    public var description: String { "\(failure.code): \(failure.message)" }
}
