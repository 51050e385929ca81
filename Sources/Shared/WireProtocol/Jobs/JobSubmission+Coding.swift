import CompositionModel
import Foundation
import Planning

/// The JSON of a submission. Its product is a member `stills` or `measure` beside the other members; without either it
/// is a movie.
extension JobSubmission {
    private enum CodingKeys: String, CodingKey {
        case idempotencyKey, keyCoversContent, editText, title, assets, parameters, nested, preset, output, range,
            copies, match, priority, window, afterJobs, deadline, webhook, traceparent, delivery, audit, requirements,
            segmentCount
        case stills, measure
    }

    /// Reads the submission.
    /// - Throws: `DecodingError` for missing members, members of another type, and a submission with both `stills` and
    ///   `measure`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            idempotencyKey: try container.decode(String.self, forKey: .idempotencyKey),
            keyCoversContent: try container.decodeIfPresent(Bool.self, forKey: .keyCoversContent),
            editText: try container.decode(String.self, forKey: .editText),
            title: try container.decode(String.self, forKey: .title),
            assets: try container.decode([String: ContentDigest].self, forKey: .assets),
            parameters: try container.decodeIfPresent([String: String].self, forKey: .parameters),
            nested: try container.decodeIfPresent([String: NestedSubmission].self, forKey: .nested),
            preset: try container.decodeIfPresent(String.self, forKey: .preset),
            output: try container.decode(Int.self, forKey: .output),
            range: try container.decodeIfPresent([String].self, forKey: .range),
            copies: try container.decodeIfPresent(Bool.self, forKey: .copies),
            match: try container.decodeIfPresent(String.self, forKey: .match),
            priority: try container.decode(Int.self, forKey: .priority),
            window: try container.decodeIfPresent(JobWindow.self, forKey: .window),
            afterJobs: try container.decodeIfPresent([JobID].self, forKey: .afterJobs),
            deadline: try Self.deadline(in: container),
            webhook: try container.decodeIfPresent(String.self, forKey: .webhook),
            traceparent: try container.decodeIfPresent(TraceParent.self, forKey: .traceparent),
            delivery: try container.decodeIfPresent(DeliveryOrder.self, forKey: .delivery),
            audit: try container.decodeIfPresent(AuditShare.self, forKey: .audit),
            requirements: try container.decodeIfPresent([WorkerRequirement].self, forKey: .requirements),
            segmentCount: try container.decodeIfPresent(Int.self, forKey: .segmentCount),
            product: try Self.product(in: container)
        )
    }

    /// People write submissions too: every form of RFC 3339 is read.
    private static func deadline(in container: KeyedDecodingContainer<CodingKeys>) throws -> Date? {
        guard let text = try container.decodeIfPresent(String.self, forKey: .deadline) else { return nil }
        guard let date = WrittenInstant(text)?.date else {
            throw DecodingError.dataCorruptedError(
                forKey: .deadline,
                in: container,
                debugDescription: "“\(text.visible)” is no instant as 2026-12-01T06:00:00+01:00"
            )
        }
        return date
    }

    private static func product(in container: KeyedDecodingContainer<CodingKeys>) throws -> JobProduct {
        let stills = try container.decodeIfPresent(StillsOrder.self, forKey: .stills)
        let measure = try container.decodeIfPresent(MeasureOrder.self, forKey: .measure)
        switch (stills, measure) {
        case (nil, nil): return .movie
        case (let stills?, nil): return .stills(stills)
        case (nil, let measure?): return .measurement(measure)
        case (_?, _?):
            throw DecodingError.dataCorruptedError(
                forKey: .measure,
                in: container,
                debugDescription: "a job makes stills or measures, not both; send one of “stills” and “measure”"
            )
        }
    }

    /// Writes the submission; members that are nil are left out.
    /// - Throws: `EncodingError` if `encoder` cannot hold a value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(idempotencyKey, forKey: .idempotencyKey)
        try container.encodeIfPresent(keyCoversContent, forKey: .keyCoversContent)
        try container.encode(editText, forKey: .editText)
        try container.encode(title, forKey: .title)
        try container.encode(assets, forKey: .assets)
        try container.encodeIfPresent(parameters, forKey: .parameters)
        try container.encodeIfPresent(nested, forKey: .nested)
        try container.encodeIfPresent(preset, forKey: .preset)
        try container.encode(output, forKey: .output)
        try container.encodeIfPresent(range, forKey: .range)
        try container.encodeIfPresent(copies, forKey: .copies)
        try container.encodeIfPresent(match, forKey: .match)
        try container.encode(priority, forKey: .priority)
        try container.encodeIfPresent(window, forKey: .window)
        try container.encodeIfPresent(afterJobs, forKey: .afterJobs)
        try container.encodeIfPresent(deadline, forKey: .deadline)
        try container.encodeIfPresent(webhook, forKey: .webhook)
        try container.encodeIfPresent(traceparent, forKey: .traceparent)
        try container.encodeIfPresent(delivery, forKey: .delivery)
        try container.encodeIfPresent(audit, forKey: .audit)
        try container.encodeIfPresent(requirements, forKey: .requirements)
        try container.encodeIfPresent(segmentCount, forKey: .segmentCount)
        switch product {
        case .movie: break
        case .stills(let order): try container.encode(order, forKey: .stills)
        case .measurement(let order): try container.encode(order, forKey: .measure)
        }
    }
}
