import CompositionModel

/// The place where an element of a title stands before its appearance moves it, in pixels.
struct TitleRect {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The place of an element of `width` × `height` that `box` aligns in a frame, in pixels of the edit.
    init(_ box: TitleBox, width: Double, height: Double, frame: PictureSize) {
        let (across, down) = box.anchor.halves
        let (marginX, marginY) = (Double(box.marginX) / 1e6, Double(box.marginY) / 1e6)
        self.init(
            x: marginX + (Double(frame.width) - 2 * marginX - width) * Double(across) / 2,
            y: marginY + (Double(frame.height) - 2 * marginY - height) * Double(down) / 2,
            width: width,
            height: height
        )
    }

    /// The same place of the edit in pixels of the task.
    func scaled(_ scale: TitleScale) -> TitleRect {
        TitleRect(x: x * scale.x, y: y * scale.y, width: width * scale.x, height: height * scale.y)
    }
}
