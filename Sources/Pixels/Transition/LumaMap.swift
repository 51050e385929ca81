/// A plane of luma that says when an edge reaches each place.
package struct LumaMap {
    private let plane: Plane
    private let black: Double
    private let range: Double

    /// - Parameters:
    ///   - plane: luma of the frame's size; it must stay readable while a painter is made of it.
    ///   - black: code value that is reached first; `white`, above it, last.
    package init(_ plane: Plane, black: UInt8, white: UInt8) {
        precondition(plane.width > 0 && plane.height > 0 && black < white)
        self.plane = plane
        self.black = Double(black)
        range = Double(white) - Double(black)
    }

    /// 0 … 1; a place outside counts as the nearest inside.
    func value(_ x: Int, _ y: Int) -> Double {
        let sample = plane.row(min(y, plane.height - 1))[min(x, plane.width - 1)]
        return min(max((Double(sample) - black) / range, 0), 1)
    }
}
