public import Planning

/// What a job makes of an edit.
public enum JobProduct: Sendable, Hashable {
    /// The file of one output.
    case movie
    /// Frames as images.
    case stills(StillsOrder)
    /// How loud the mix is, or its waveform.
    case measurement(MeasureOrder)
}
