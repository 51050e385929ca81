/// One colour laid over what is below it, as thickly as each byte says.
public struct SubtitleImage {
    /// The left edge in the frame.
    public let x: Int
    /// The top edge in the frame.
    public let y: Int
    public let width: Int
    public let height: Int
    /// Rows of `width` bytes, `stride` apart, the last one not filled up; 255 is the whole colour.
    public let coverage: UnsafeBufferPointer<UInt8>
    /// Bytes from one row to the next.
    public let stride: Int
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    /// The opacity of the colour; 255 is opaque.
    public let alpha: UInt8
}

/// Why subtitles cannot be drawn.
public struct SubtitleError: Error, Sendable, Hashable {
    /// A sentence that says what is wrong.
    public let message: String
}
