/// The shape of a sample: width to height (ITU-T H.264 and H.265, table E-1).
package struct AspectRatio: Hashable, Sendable {
    /// aspect_ratio_idc: 0 unspecified, 1 … 16 from the table, 255 as ``width`` and ``height`` say.
    package var idc: Int
    /// 0 unless ``idc`` is 255.
    package var width: Int
    /// 0 unless ``idc`` is 255.
    package var height: Int

    private static let table = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
        (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    init() {
        idc = 0
        width = 0
        height = 0
    }

    /// The ratio's entry of the table, or ``idc`` 255 with both numbers where the table has none.
    /// - Parameters:
    ///   - width: of a sample, 1 … 65535, without a factor in common with `height`.
    ///   - height: of a sample, 1 … 65535.
    package init(width: Int, height: Int) {
        let listed = Self.table.firstIndex { $0 == (width, height) }
        idc = listed.map { $0 + 1 } ?? 255
        self.width = listed == nil ? width : 0
        self.height = listed == nil ? height : 0
    }

    /// Width and height; nil when the ratio is unspecified or reserved.
    package var ratio: (width: Int, height: Int)? {
        if idc == 255 { return width > 0 && height > 0 ? (width, height) : nil }
        return Self.table.indices.contains(idc - 1) ? Self.table[idc - 1] : nil
    }

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.u(8, &idc, "aspect_ratio_idc")
        guard idc == 255 else { return }
        try coder.u(16, &width, "sar_width")
        try coder.u(16, &height, "sar_height")
    }
}
