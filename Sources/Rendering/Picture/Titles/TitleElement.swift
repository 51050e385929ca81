import Media

/// A picture that was drawn for a title, and its place in the frame.
struct DrawnPicture {
    /// The left edge in the frame, in the picture's own pixels.
    let x: Double
    /// The top edge in the frame, in the picture's own pixels.
    let y: Double
    let picture: Picture
}

/// A drawn text, shape, image or line of subtitles with the box that it is turned about.
struct TitleElement {
    let drawn: DrawnPicture
    /// The element's place in pixels of the task.
    let box: TitleRect
    /// Pixels of the picture for each pixel of the task.
    let detail: (x: Double, y: Double)
}
