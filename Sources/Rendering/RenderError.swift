public import Shared

/// What stops a rendering or a stitch: a stable code and one sentence, ready for the farm.
public struct RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    public let failure: Failure

    /// - Parameters:
    ///   - code: stable, snake case.
    ///   - isPermanent: trying again cannot help.
    public init(_ code: String, _ message: String, isPermanent: Bool = false) {
        failure = Failure(code: code, message: message, isPermanent: isPermanent)
    }

    public init(failure: Failure) { self.failure = failure }

    public var description: String { "\(failure.code): \(failure.message)" }
}
