import Client
import EditLanguage
import Foundation
import Ingest
import WireProtocol

/// An edit whose assets, and those of the edits nested in it, were brought to the farm.
struct DeliveredEdit {
    let file: EditFile
    /// The edit's own assets.
    let own: AssetDelivery.Delivered
    /// The edits among its assets, by name.
    let nested: [String: DeliveredEdit]

    /// Whether every asset can be used.
    var isUsable: Bool { own.unusable.isEmpty && nested.values.allSatisfy(\.isUsable) }

    /// The submission of this edit to the coordinator.
    /// - Parameters:
    ///   - title: The job's title; nil is that of the edit's file.
    ///   - options: The preset and the range.
    ///   - output: The position among the outputs; 0 for jobs that make no movie.
    ///   - segmentCount: The number of segments; nil lets the planner choose.
    ///   - priority: The priority: higher goes first.
    func submission(
        title: String? = nil,
        options: CompileOptions,
        output: Int = 0,
        segmentCount: Int? = nil,
        priority: Int
    ) -> JobSubmission {
        JobSubmission(
            idempotencyKey: UUID().uuidString.lowercased(),
            editText: file.text,
            title: title ?? file.title,
            assets: own.digests,
            parameters: file.writtenParameters,
            nested: nestedSubmissions,
            preset: options.preset,
            output: output,
            range: options.range,
            copies: options.copies ? true : nil,
            match: options.match,
            priority: priority,
            segmentCount: segmentCount
        )
    }

    /// The edits among the assets; nil when there are none.
    private var nestedSubmissions: [String: NestedSubmission]? {
        guard !nested.isEmpty else { return nil }
        return nested.mapValues { edit in
            NestedSubmission(
                file: edit.file.path,
                editText: edit.file.text,
                parameters: edit.file.writtenParameters,
                assets: edit.own.digests,
                nested: edit.nestedSubmissions
            )
        }
    }

    /// The facts that the farm has of the assets, for the findings of an edit that is refused.
    /// - Throws: `ClientError`.
    func known(to connection: CoordinatorConnection) async throws(ClientError) -> NestedEdit {
        var edit = NestedEdit(file: file.path, read: file.read, assets: [:])
        edit.unusable = own.unusable
        for (name, digest) in own.digests {
            do {
                guard let facts = try await connection.record(of: digest).facts else { continue }
                edit.assets[name] = CompilerAsset(digest: digest, facts: facts)
            } catch .problem(let problem) where problem.status == 404 {
                edit.unusable[name] = UnusableAsset(.missing, "the farm does not have \(digest)")
            }
        }
        for (name, inner) in nested { edit.nested[name] = try await inner.known(to: connection) }
        return edit
    }
}

extension EditFile {
    /// The values for `params`; nil, which is not sent, when there are none.
    fileprivate var writtenParameters: [String: String]? { parameters.isEmpty ? nil : parameters }
}
