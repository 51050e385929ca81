/// One colour laid over what is below it, as thickly as each byte says.
public struct SubtitleImage {
    /// Left and top in the frame.
    public let x: Int
    public let y: Int
    public let width: Int
    public let height: Int
    /// Rows of `width` bytes, `stride` apart, the last one not filled up; 255 is the whole colour.
    public let coverage: UnsafeBufferPointer<UInt8>
    public let stride: Int
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    public let alpha: UInt8
}

/// Why subtitles cannot be drawn.
public struct SubtitleError: Error, Sendable, Hashable {
    public let message: String
}
