/// One of the 8 ways a plane is turned: first mirrored left to right or not, then rotated clockwise.
package struct PlaneTurn: Sendable, Hashable {
    /// 0 … 3, clockwise.
    package let quarterTurns: Int
    /// Whether the picture is mirrored too.
    package let isMirrored: Bool

    /// - Precondition: 0 ≤ `quarterTurns` ≤ 3.
    package init(quarterTurns: Int, isMirrored: Bool) {
        precondition((0...3).contains(quarterTurns))
        self.quarterTurns = quarterTurns
        self.isMirrored = isMirrored
    }

    /// Whether width and height change places.
    package var swapsSides: Bool { quarterTurns % 2 == 1 }

    /// The source of the target's sample (x, y): `origin + x × stepX + y × stepY` from the source's base.
    ///
    /// Rotated by 0, 90, 180 and 270 degrees it is the mirrored source's sample (x, y), (y, H−1−x), (W−1−x, H−1−y) and
    /// (W−1−y, x); mirroring makes W−1−x of every x of those.
    func walk(of source: Plane) -> (origin: Int, stepX: Int, stepY: Int) {
        let (right, down) = (source.width - 1, source.height - 1)
        // Source column and row of the target's (0, 0), and their change per target x and y.
        var (column, row) = [(0, 0), (0, down), (right, down), (right, 0)][quarterTurns]
        var (columnX, columnY) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarterTurns]
        let (rowX, rowY) = [(0, 1), (-1, 0), (0, -1), (1, 0)][quarterTurns]
        if isMirrored { (column, columnX, columnY) = (right - column, -columnX, -columnY) }
        row *= source.stride
        return (row + column, rowX * source.stride + columnX, rowY * source.stride + columnY)
    }
}
