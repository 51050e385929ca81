/// One colour laid over what is below it, as thickly as each byte says.
package struct SubtitleImage {
    /// The left edge in the frame.
    package let x: Int
    /// The top edge in the frame.
    package let y: Int
    package let width: Int
    package let height: Int
    /// Rows of `width` bytes, `stride` apart, the last one not filled up; 255 is the whole colour.
    package let coverage: UnsafeBufferPointer<UInt8>
    /// Bytes from one row to the next.
    package let stride: Int
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8
    /// The opacity of the colour; 255 is opaque.
    package let alpha: UInt8
}

/// Why subtitles cannot be drawn.
package struct SubtitleError: Error, Sendable, Hashable {
    /// A sentence that says what is wrong.
    package let message: String
}
