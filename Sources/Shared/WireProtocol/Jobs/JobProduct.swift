package import Planning

/// The product that a job makes from an edit.
package enum JobProduct: Sendable, Hashable {
    /// The file of one output.
    case movie
    /// Frames as images.
    case stills(StillsOrder)
    /// The loudness of the mix, or its waveform.
    case measurement(MeasureOrder)
}
