import Foundation
import WireProtocol

/// Spans as OTLP/HTTP has them in JSON (opentelemetry-proto, `ExportTraceServiceRequest`): identifiers in hex, 64-bit numbers
/// as strings.
struct OTLPDocument: Encodable {
    private struct Value: Encodable { let stringValue: String }

    private struct Attribute: Encodable {
        let key: String
        let value: Value

        init(_ key: String, _ text: String) { (self.key, value) = (key, Value(stringValue: text)) }
    }

    private struct Status: Encodable {
        /// STATUS_CODE_ERROR.
        let code = 2
        let message: String
    }

    private struct OneSpan: Encodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String
        let name: String
        /// SPAN_KIND_INTERNAL.
        let kind = 1
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]
        let status: Status?
    }

    private struct Resource: Encodable { let attributes: [Attribute] }
    private struct Scope: Encodable { let name = "cutfarm" }
    private struct ScopeSpans: Encodable {
        let scope = Scope()
        let spans: [OneSpan]
    }
    private struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    private let resourceSpans: [ResourceSpans]

    /// - Parameters:
    ///   - trace: the trace of all spans, as hex.
    ///   - host: the name of this machine.
    init(_ spans: [Span], trace: String, host: String) {
        let resource = Resource(attributes: [Attribute("service.name", "cutfarm"), Attribute("host.name", host)])
        let written = spans.map { span in
            OneSpan(
                traceId: trace,
                spanId: span.span,
                parentSpanId: span.parent,
                name: span.name,
                startTimeUnixNano: Self.nanoseconds(span.start),
                endTimeUnixNano: Self.nanoseconds(max(span.start, span.end)),
                attributes: span.attributes.sorted { $0.key < $1.key }.map { Attribute($0.key, $0.value) },
                status: span.error.map { Status(message: $0) }
            )
        }
        resourceSpans = [ResourceSpans(resource: resource, scopeSpans: [ScopeSpans(spans: written)])]
    }

    /// Nanoseconds since 1970; what the database keeps are whole milliseconds.
    private static func nanoseconds(_ date: Date) -> String {
        "\(Int64((date.timeIntervalSince1970 * 1000).rounded()))000000"
    }
}
