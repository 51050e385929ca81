import CompositionModel
import Farm
import Foundation
import Planning
import WireProtocol

/// Something to be made of accepted parts, to be looked at or played.
struct PreviewOrder: Sendable {
    /// Names what comes of it: equal parts, by their bytes, and equal requests to equal programs give equal bytes.
    let key: ContentDigest
    /// The parts that it shows.
    let parts: [ContentDigest]
    /// The request for the files of ``parts`` and an output at these paths.
    let request: @Sendable (_ parts: [String], _ output: String) -> PreviewRequest

    private init(
        _ parts: [ContentDigest],
        _ request: @escaping @Sendable (_ parts: [String], _ output: String) -> PreviewRequest
    ) throws {
        let named = request(parts.map(\.hex), "")
        key = ContentDigest(of: Data("\(Renderer.version) ".utf8) + (try CanonicalJSON.data(named)))
        (self.parts, self.request) = (parts, request)
    }

    /// The entity tag of what comes of it.
    var tag: String { "\"\(key)\"" }

    /// An image of frames.
    /// - Parameters:
    ///   - frames: the frames of the output, row by row.
    ///   - columns: the number of cells in a row.
    ///   - width: the width of a cell in pixels.
    ///   - artifacts: the accepted parts by their positions; frames of others are grey.
    static func picture(
        of frames: [Int64],
        columns: Int,
        width: Int,
        in layout: OutputLayout,
        _ artifacts: [Int: ContentDigest]
    ) throws -> PreviewOrder {
        var places: [ContentDigest: Int] = [:]
        var digests: [ContentDigest] = []
        let cells = frames.map { frame in
            guard let piece = layout.pictures.holding(frame), let artifact = artifacts[piece.position] else {
                return PreviewPicture.Cell(part: nil, frame: 0)
            }
            if places[artifact] == nil {
                places[artifact] = digests.count
                digests.append(artifact)
            }
            return PreviewPicture.Cell(part: places[artifact], frame: frame - piece.start)
        }
        let stitch = layout.stitch
        return try PreviewOrder(digests) { paths, path in
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

    /// The head of the track that begins with a piece.
    /// - Parameter artifact: the accepted part.
    static func head(
        _ track: PreviewTrackKind,
        _ piece: OutputLayout.Piece,
        _ artifact: ContentDigest,
        in layout: OutputLayout
    )
        throws -> PreviewOrder
    {
        try made(track, piece, artifact, layout) { .head($0) }
    }

    /// A piece as a fragment of its track.
    /// - Parameter artifact: the accepted part.
    static func fragment(
        _ track: PreviewTrackKind,
        _ piece: OutputLayout.Piece,
        _ artifact: ContentDigest,
        in layout: OutputLayout
    ) throws -> PreviewOrder {
        try made(track, piece, artifact, layout) { .fragment($0) }
    }

    private static func made(
        _ track: PreviewTrackKind,
        _ piece: OutputLayout.Piece,
        _ artifact: ContentDigest,
        _ layout: OutputLayout,
        _ request: @escaping @Sendable (PreviewTrack) -> PreviewRequest
    ) throws -> PreviewOrder {
        let raster = track == .sound ? nil : layout.stitch.raster
        let brings = layout.hasCopies && track == .picture
        return try PreviewOrder([artifact]) { paths, path in
            request(
                PreviewTrack(
                    part: paths[0],
                    start: piece.start,
                    bringsParameterSets: brings,
                    raster: raster,
                    output: path
                )
            )
        }
    }
}
