import CompositionModel
import Foundation
import Sandbox
import Storage
import WireProtocol

/// Makes what is looked at of accepted parts, each in a render child in its sandbox, which is shown these parts and nothing
/// else.
struct PreviewMaking: Sendable {
    let artifacts: ArtifactLibrary
    let renderer: RenderProcess
    let space: SpaceWatch
    let shelf: PreviewShelf

    /// The time that a child may take.
    private static let time: Duration = .seconds(120)

    /// What comes of an order, which is made unless it is on the shelf.
    /// - Parameter owner: who asks.
    /// - Throws: ``Problem`` `preview_failed`, `not_kept`, `too_many_previews`; ``StorageError``; ``DiskShortage``;
    ///   `CancellationError`.
    func item(_ order: PreviewOrder, for owner: String) async throws -> PreviewItem {
        try await shelf.item(order.key, for: owner) { try await render(order, to: $0) }
    }

    /// The same with its file; no file where the item has none.
    /// - Throws: as ``item(_:for:)``.
    func file(_ order: PreviewOrder, for owner: String) async throws -> (item: PreviewItem, file: StoredFile?) {
        try await shelf.file(order.key, for: owner) { try await render(order, to: $0) }
    }

    /// Whether what comes of each of these orders is on the shelf.
    func keeps(_ orders: [PreviewOrder]) async -> Bool { await shelf.keeps(orders.map(\.key)) }

    /// The file of what came of an order, if it is on the shelf; else nil.
    /// - Throws: ``StorageError``.
    func kept(_ order: PreviewOrder) async throws -> StoredFile? { try await shelf.kept(order.key) }

    private func render(_ order: PreviewOrder, to path: String) async throws -> PreviewItem.Content {
        let byteCount = try await artifacts.totalByteCount(of: order.parts)
        if let shortage = space.shortage(for: byteCount) { throw shortage }
        do {
            // A frame is in a small piece of a part, and a fragment's child reads the checksum of its part itself.
            let (folder, paths) = try await artifacts.gather(order.parts, verifying: false)
            // The folder goes with its last reference.
            defer { withExtendedLifetime(folder) {} }
            let outcome = try await renderer.run(
                .preview(order.request(paths, path)),
                within: RenderLimits(
                    wall: Self.time,
                    cpuSeconds: Int(Self.time.components.seconds),
                    fileMiB: 64 + Int(byteCount >> 19)
                ),
                readable: [folder.path],
                writable: [(path as NSString).deletingLastPathComponent]
            )
            if case .track(let codec) = outcome.result { return .track(codec: codec) }
            return .plain
        } catch let error as StorageError where error.isLoss {
            throw Problem.previewNotKept
        } catch let error as RenderFailed {
            let failure = error.failure.withoutPaths(below: [artifacts.folder.root])
            if failure.code == "preview_unsupported" { return .notPlayed(failure.message) }
            throw Problem(
                status: failure.code == "render_missing" ? 503 : 422,
                code: failure.code == "render_missing" ? failure.code : Problem.previewFailed,
                title: "No preview",
                detail: failure.message
            )
        }
    }
}

extension Problem {
    /// The code of a preview that could not be made of its parts.
    static let previewFailed = "preview_failed"

    static let previewNotThere = Problem.conflict(
        "not_finished",
        "This part of the output is not rendered yet, or never will be; “parts” of the job's preview says which are there."
    )
    static let previewNotKept = Problem(
        status: 410,
        code: "not_kept",
        title: "Not kept",
        detail: "The rendered part is no longer kept; a finished job's output is, and any other can be submitted again."
    )

    /// The problem of an owner for whom more previews are made, or wait to be made, than may be at a time.
    static func tooManyPreviews(_ owner: String, limit: Int) -> Problem {
        Problem(
            status: 429,
            code: "too_many_previews",
            title: "Too many at a time",
            detail: "\(limit) previews are being made for “\(owner)”, the most at a time; ask again in a moment."
        )
    }
}
