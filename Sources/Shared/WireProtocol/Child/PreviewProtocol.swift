package import CompositionModel

/// Makes something to look at, or to play, of accepted parts of an output that is not finished.
package enum PreviewRequest: Sendable, Hashable, Codable {
    /// Frames of the output as one JPEG image. The result is ``RenderResult/artifact(unitCount:)`` with the number of
    /// frames shown.
    case picture(PreviewPicture)
    /// The head of a track of fragmented MP4 (ISO/IEC 14496-12, 8.8): `ftyp` and `moov`, without samples. The result is
    /// ``RenderResult/track(codec:)``; the failure `preview_unsupported` says why browsers play no such track.
    case head(PreviewTrack)
    /// One part as one fragment: `moof` and `mdat`. The result is ``RenderResult/artifact(unitCount:)`` with the number
    /// of frames, or of samples per channel.
    case fragment(PreviewTrack)
}

/// Frames of the output side by side, row by row.
package struct PreviewPicture: Sendable, Hashable, Codable {
    /// One place of the grid.
    package struct Cell: Sendable, Hashable, Codable {
        /// The part that holds the frame, by its position in ``PreviewPicture/parts``; nil leaves the cell grey.
        package var part: Int?
        /// The frame, counted from the part's first one.
        package var frame: Int64

        package init(part: Int?, frame: Int64) { (self.part, self.frame) = (part, frame) }
    }

    /// The packet files of the parts.
    package var parts: [String]
    /// The cells, at least one; those beyond the last are grey.
    package var cells: [Cell]
    /// The number of cells in a row.
    package var columns: Int
    /// The width of a cell in pixels; a picture is never enlarged.
    package var width: Int
    /// The size of the coded picture in pixels, of which a sheet without any frame takes its proportions.
    package var size: PictureSize
    /// How the coded picture lies; nil where it is coded as it is shown.
    package var raster: CodedRaster?
    /// The image file to write, in a folder that the child may write.
    package var output: String

    package init(
        parts: [String],
        cells: [Cell],
        columns: Int,
        width: Int,
        size: PictureSize,
        raster: CodedRaster?,
        output: String
    ) {
        self.parts = parts
        self.cells = cells
        self.columns = columns
        self.width = width
        self.size = size
        self.raster = raster
        self.output = output
    }
}

/// A part of one track of fragmented MP4.
package struct PreviewTrack: Sendable, Hashable, Codable {
    /// The packet file of the part.
    package var part: String
    /// The frame of the output, or the sample of its sound, at which the part begins.
    package var start: Int64
    /// Whether every key picture brings its parameter sets along, because parts of this output have different ones.
    package var bringsParameterSets: Bool
    /// How the coded picture lies; nil where it is coded as it is shown, and for sound.
    package var raster: CodedRaster?
    /// The file to write, in a folder that the child may write.
    package var output: String

    package init(part: String, start: Int64, bringsParameterSets: Bool, raster: CodedRaster?, output: String) {
        self.part = part
        self.start = start
        self.bringsParameterSets = bringsParameterSets
        self.raster = raster
        self.output = output
    }
}
