package import CompositionModel
package import Timing

/// Why a composition cannot be planned.
package enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The composition has no output of this number.
    case noSuchOutput(Int, count: Int)
    /// No facts were given for an asset that the composition names.
    case missingFacts(ContentDigest)
    /// The asset has no picture or sound stream of this index.
    case missingStream(ContentDigest, stream: Int)
    /// The composition is invalid; the findings say why.
    case invalidComposition([Finding])
    /// The composition has more layers over all its cuts than this limit.
    case tooComplex(Int)
    /// One segment shows more than ``Limits/mostTracks`` different parts of nested edits.
    case tooManyNested
    /// The requested number of segments, for tests, is not in 1 … ``Limits/mostForcedSegments``.
    case tooManySegments(Int)
    /// Frames of an output would have to be encoded in a coding that is only copied, whose name is given.
    case notCopied(UncopiedFrames, String, FrameRate)
    /// The task that plans is cancelled.
    case stopped
    /// A time is too large or too fine for exact arithmetic.
    case time(TimeError)

    package var description: String { message }

    /// The failure that the farm reports to its clients: a stable code and a sentence. It is permanent.
    package var failure: Failure {
        Failure(code: code, message: message, isPermanent: true)
    }

    private var code: String {
        switch self {
        case .noSuchOutput: "no_such_output"
        case .missingFacts: "asset_facts_missing"
        case .missingStream: "asset_stream_missing"
        case .invalidComposition: "invalid_composition"
        case .tooComplex, .tooManyNested: "edit_too_complex"
        case .tooManySegments: "too_many_segments"
        case .notCopied: "not_copied"
        case .stopped: "planning_stopped"
        case .time: "time_overflow"
        }
    }

    private var message: String {
        switch self {
        case .noSuchOutput(let number, let count):
            "There is no output \(number): the composition has \(count), counted from 0."
        case .missingFacts(let digest): "Asset \(digest) has not been probed: upload it before planning."
        case .missingStream(let digest, let stream): "Asset \(digest) has no stream \(stream) to use here."
        case .invalidComposition(let findings):
            findings.first { $0.severity == .error }.map { "\($0.message) (at \($0.pointer))" }
                ?? "The composition is not valid."
        case .tooComplex(let most):
            "The edit has more than \(most) layers over all its cuts and those of the edits in it, which is the limit for "
                + "its number of clips: render tracks that lie together, or nested edits, first."
        case .tooManyNested:
            "One segment shows more than \(Limits.mostTracks) different parts of nested edits; show fewer at a time."
        case .tooManySegments(let count):
            "\(count) segments are asked for; there may be 1 to \(Limits.mostForcedSegments)."
        case .notCopied(let frames, let coding, let rate): frames.refusal(of: coding, at: rate) + "."
        case .stopped: "Planning was stopped before its end, because nobody waits for the plan any more."
        case .time: "A time of the composition is too large or too fine to compute with exactly."
        }
    }
}

extension PlanError {
    /// Counts steps of a long loop (``WorkMeter``), and lets it end when nobody waits for its result any more. What is
    /// planned does not depend on it.
    /// - Throws: ``stopped`` when the task is cancelled.
    static func step(_ count: Int = 1) throws(PlanError) {
        guard WorkMeter.step(count) else { throw .stopped }
    }
}
