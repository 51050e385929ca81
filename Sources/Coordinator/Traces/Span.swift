import CompositionModel
import Digests
import Foundation
import WireProtocol

/// One span of a trace, as OTLP has it.
struct Span: Sendable, Hashable {
    let name: String
    let span: String
    /// The span that it is a part of.
    let parent: String
    let start: Date
    let end: Date
    var attributes: [String: String] = [:]
    /// Why what it stands for failed; nil when it did not.
    var error: String?

    /// The identifier of a span: it follows from what the span stands for, so that one that is exported again is the same.
    static func identifier(_ name: String, of thing: some CustomStringConvertible) -> String {
        Array(SHA256.hash(Data("cutfarm/span/1\n\(name)\n\(thing)".utf8)).prefix(8)).hex
    }
}
