import CompositionModel
import Farm
import Foundation
import Planning
import Sandbox
import Storage
import WireProtocol

/// Makes what is looked at of accepted parts, each in a render child in its sandbox, which is shown these parts and nothing
/// else.
struct PreviewMaking: Sendable {
    let artifacts: ArtifactStore
    let renderer: RenderProcess
    let space: SpaceWatch
    let shelf: PreviewShelf
    let turns: PreviewTurns

    /// The time that a child may take.
    private static let time: Duration = .seconds(120)

    /// An image of frames.
    /// - Parameters:
    ///   - frames: the frames of the output, row by row.
    ///   - output: the parts of the output; frames of parts that are not there are grey.
    ///   - owner: who asks.
    /// - Throws: ``Problem`` `preview_failed`, `not_kept`; ``StorageError``; ``DiskShortage``; `CancellationError`.
    func picture(
        of frames: [Int64],
        columns: Int,
        width: Int,
        in output: OutputParts,
        for owner: String
    ) async throws -> PreviewItem {
        var places: [ContentDigest: Int] = [:]
        var digests: [ContentDigest] = []
        let pictures = output.pictures
        let cells = frames.map { frame in
            guard let part = pictures.holding(frame), let artifact = part.artifact else {
                return PreviewPicture.Cell(part: nil, frame: 0)
            }
            if places[artifact] == nil {
                places[artifact] = digests.count
                digests.append(artifact)
            }
            return PreviewPicture.Cell(part: places[artifact], frame: frame - part.start)
        }
        let stitch = output.stitch
        return try await make(digests, for: owner) { paths, path in
            .picture(
                PreviewPicture(
                    parts: paths,
                    cells: cells,
                    columns: columns,
                    width: width,
                    size: stitch.size,
                    raster: stitch.raster,
                    output: path
                )
            )
        }
    }

    /// The head of the track that begins with a part.
    /// - Throws: as ``picture(of:columns:width:in:for:)``.
    func head(_ part: OutputParts.Part, in output: OutputParts, for owner: String) async throws -> PreviewItem {
        try await track(part, output, owner) { .head($0) }
    }

    /// A part as a fragment of its track.
    /// - Throws: as ``picture(of:columns:width:in:for:)``.
    func fragment(_ part: OutputParts.Part, in output: OutputParts, for owner: String) async throws -> PreviewItem {
        try await track(part, output, owner) { .fragment($0) }
    }

    private func track(
        _ part: OutputParts.Part,
        _ output: OutputParts,
        _ owner: String,
        _ request: @escaping @Sendable (PreviewTrack) -> PreviewRequest
    ) async throws -> PreviewItem {
        guard let artifact = part.artifact else { throw Problem.previewNotThere }
        let raster = part.isSound ? nil : output.stitch.raster
        let brings = output.hasCopies && !part.isSound
        return try await make([artifact], for: owner) { paths, path in
            request(
                PreviewTrack(
                    part: paths[0],
                    start: part.start,
                    bringsParameterSets: brings,
                    raster: raster,
                    output: path
                )
            )
        }
    }

    /// Has a request carried out, unless its result is on the shelf.
    /// - Parameter request: the request for parts and an output at these paths.
    private func make(
        _ parts: [ContentDigest],
        for owner: String,
        _ request: @escaping @Sendable (_ parts: [String], _ output: String) -> PreviewRequest
    ) async throws -> PreviewItem {
        // Equal bytes of equal requests: the key names parts by what is in them, and the program by its version.
        let named = request(parts.map(\.hex), "")
        let key = ContentDigest(of: Data("\(Renderer.version) ".utf8) + (try CanonicalJSON.data(named)))
        return try await shelf.item(key) { path in
            try await turns.run(for: owner) { try await render(parts, to: path, request) }
        }
    }

    private func render(
        _ digests: [ContentDigest],
        to path: String,
        _ request: @Sendable (_ parts: [String], _ output: String) -> PreviewRequest
    ) async throws -> PreviewItem.Content {
        let byteCount = try await blocking { [artifacts] in
            digests.compactMap { artifacts.byteCount(of: $0) }.reduce(0, +)
        }
        if let shortage = space.shortage(for: byteCount) { throw shortage }
        do {
            // A frame is in a small piece of a part, and a fragment's child reads the checksum of its part itself.
            let (folder, paths) = try await blocking { [artifacts] in try artifacts.gather(digests, verifying: false) }
            // The folder goes with its last reference.
            defer { withExtendedLifetime(folder) {} }
            let outcome = try await renderer.run(
                .preview(request(paths, path)),
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
            let failure = error.failure.withoutPaths(below: [artifacts.root])
            if failure.code == "preview_unsupported" { return .notPlayed(failure.message) }
            throw Problem(
                status: failure.code == "render_missing" ? 503 : 422,
                code: failure.code == "render_missing" ? failure.code : "preview_failed",
                title: "No preview",
                detail: failure.message
            )
        }
    }
}

extension [OutputParts.Part] {
    /// The part that holds a frame; nil beyond the output's ends.
    func holding(_ frame: Int64) -> OutputParts.Part? { first { $0.start <= frame && frame < $0.end } }
}

extension Problem {
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
}
