/// The names by which an edit may ask for a transition: the kinds, other words for them, FFmpeg's names with `xfade-`
/// before them, and the wipe codes of SMPTE 258M, such as `smpte-1`.
package enum TransitionName {
    /// The look that `name` means: parameters that the name states are set, all others are nil. An unknown name gives
    /// nil.
    package static func look(_ name: String) -> TransitionLook? { table[name] }

    /// All names: the kinds in the order of their declaration, then the others by name.
    package static let all: [String] = TransitionKind.allCases.map(\.rawValue) + aliases

    /// The names that are other words for a kind, in alphabetical order, wipe codes by number.
    package static let aliases: [String] = {
        let kinds = Set(TransitionKind.allCases.map(\.rawValue))
        return table.keys.filter { !kinds.contains($0) }.sorted { key($0) < key($1) }
    }()

    /// The key for sorting, which puts `smpte-2` before `smpte-10`.
    private static func key(_ name: String) -> (String, Int) {
        let parts = name.split(separator: "-")
        guard parts.count == 2, let number = Int(parts[1]) else { return (name, 0) }
        return (String(parts[0]), number)
    }

    private static let table: [String: TransitionLook] = {
        var table: [String: TransitionLook] = [:]
        for kind in TransitionKind.allCases {
            table[kind.rawValue] = TransitionLook(kind)
            if let name = kind.xfadeName { table["xfade-" + name] = TransitionLook(kind) }
        }
        table["fade"] = TransitionLook(.dissolve)
        table["dip"] = TransitionLook(.fadeThrough)
        table["diagonal"] = look(.wipe, .downRight)
        table["pinwheel"] = look(.clock, .up, count: 4)
        for (code, look) in smpte { table["smpte-\(code)"] = look }
        return table
    }()

    private static func look(
        _ kind: TransitionKind,
        _ direction: TransitionDirection? = nil,
        _ shape: TransitionShape? = nil,
        count: Int? = nil,
        reversed: Bool? = nil,
        counterclockwise: Bool? = nil,
        centered: Bool? = nil
    ) -> TransitionLook {
        var look = TransitionLook(kind)
        (look.direction, look.shape, look.count) = (direction, shape, count)
        (look.reversed, look.counterclockwise, look.centered) = (reversed, counterclockwise, centered)
        return look
    }

    /// The wipe codes in the list of W3C's SMIL 2.0 ("Transition Effects", appendix) that have an equivalent here.
    static let smpte: [Int: TransitionLook] = [
        // Straight edges, boxes from corners and sides.
        1: look(.wipe, .right), 2: look(.wipe, .down), 3: look(.box, .downRight), 4: look(.box, .downLeft),
        5: look(.box, .upLeft), 6: look(.box, .upRight), 7: look(.fourBoxes),
        21: look(.barnDoor, .right), 22: look(.barnDoor, .down), 23: look(.box, .down), 24: look(.box, .left),
        25: look(.box, .up), 26: look(.box, .right), 41: look(.wipe, .downRight), 42: look(.wipe, .downLeft),
        43: look(.bowTie, .down), 44: look(.bowTie, .right), 45: look(.barnDoor, .downRight),
        46: look(.barnDoor, .downLeft),
        // Wedges and teeth.
        61: look(.vee, .down), 62: look(.vee, .left), 63: look(.vee, .up), 64: look(.vee, .right),
        65: look(.barnVee, .down), 66: look(.barnVee, .left), 67: look(.barnVee, .up), 68: look(.barnVee, .right),
        71: look(.zigZag, .right), 72: look(.zigZag, .down),
        // Outlines.
        101: look(.iris, nil, .rectangle), 102: look(.iris, nil, .diamond), 103: look(.iris, .up, .triangle),
        104: look(.iris, .right, .triangle), 105: look(.iris, .down, .triangle), 106: look(.iris, .left, .triangle),
        111: look(.iris, .up, .pentagon), 112: look(.iris, .down, .pentagon), 113: look(.iris, .up, .hexagon),
        114: look(.iris, .right, .hexagon), 119: look(.iris, nil, .circle), 120: look(.iris, nil, .ellipse),
        122: look(.iris, .up, .eye), 123: look(.iris, .right, .eye), 128: look(.iris, .up, .star),
        130: look(.iris, .up, .heart),
        // Hands.
        201: look(.clock, .up), 202: look(.clock, .right), 203: look(.clock, .down), 204: look(.clock, .left),
        205: look(.clock, .up, count: 2), 206: look(.clock, .right, count: 2), 207: look(.clock, .up, count: 4),
        211: look(.fan, .up, centered: true), 212: look(.fan, .right, centered: true), 213: look(.doubleFan, .up),
        214: look(.doubleFan, .right), 221: look(.sweep, .down), 222: look(.sweep, .left), 223: look(.sweep, .up),
        224: look(.sweep, .right), 231: look(.fan, .down), 232: look(.fan, .left), 233: look(.fan, .up),
        234: look(.fan, .right), 241: look(.sweep, .downRight), 242: look(.sweep, .upRight, counterclockwise: true),
        243: look(.sweep, .upLeft), 244: look(.sweep, .downLeft, counterclockwise: true),
        // Boxes one after the other.
        301: look(.snake, .right), 302: look(.snake, .down), 310: look(.spiral, .downRight),
        312: look(.spiral, .upLeft), 315: look(.spiral, .downLeft), 317: look(.spiral, .upRight),
    ]
    /// The wipe codes of that list that have no equivalent here, with their names in it.
    static let smpteWithoutEquivalent: [Int: String] = {
        let families: [(String, Int, [String])] = [
            ("fourBoxWipe", 8, ["cornersOut"]), ("miscDiagonalWipe", 47, ["doubleBarnDoor", "doubleDiamond"]),
            ("barnZigZagWipe", 73, ["vertical", "horizontal"]),
            ("arrowHeadWipe", 107, ["up", "right", "down", "left"]), ("ellipseWipe", 121, ["vertical"]),
            ("roundRectWipe", 124, ["horizontal", "vertical"]), ("starWipe", 127, ["fourPoint"]),
            ("starWipe", 129, ["sixPoint"]), ("miscShapeWipe", 131, ["keyhole"]),
            (
                "doubleSweepWipe", 225,
                ["parallelVertical", "parallelDiagonal", "oppositeVertical", "oppositeHorizontal"]
            ), ("doubleFanWipe", 235, ["fanInVertical", "fanInHorizontal"]),
            ("doubleSweepWipe", 245, ["parallelDiagonalTopLeft", "parallelDiagonalBottomLeft"]),
            ("saloonDoorWipe", 251, ["top", "left", "bottom", "right"]),
            ("windshieldWipe", 261, ["right", "up", "vertical", "horizontal"]),
            (
                "snakeWipe", 303,
                ["topLeftDiagonal", "topRightDiagonal", "bottomRightDiagonal", "bottomLeftDiagonal"]
            ), ("spiralWipe", 311, ["topRightClockwise"]),
            ("spiralWipe", 313, ["bottomLeftClockwise", "topLeftCounterClockwise"]),
            ("spiralWipe", 316, ["bottomRightCounterClockwise"]),
            (
                "parallelSnakesWipe", 320,
                [
                    "verticalTopSame", "verticalBottomSame", "verticalTopLeftOpposite", "verticalBottomLeftOpposite",
                    "horizontalLeftSame", "horizontalRightSame", "horizontalTopLeftOpposite",
                    "horizontalTopRightOpposite", "diagonalBottomLeftOpposite", "diagonalTopLeftOpposite",
                ]
            ),
            (
                "boxSnakesWipe", 340,
                ["twoBoxTop", "twoBoxBottom", "twoBoxLeft", "twoBoxRight", "fourBoxVertical", "fourBoxHorizontal"]
            ), ("waterfallWipe", 350, ["verticalLeft", "verticalRight", "horizontalLeft", "horizontalRight"]),
        ]
        var table: [Int: String] = [:]
        for (family, first, names) in families {
            for (index, name) in names.enumerated() { table[first + index] = "\(family) \(name)" }
        }
        return table
    }()

    /// The message about `name` if it is a wipe code without a look; nil for any other name.
    package static func smpteFailure(_ name: String) -> String? {
        guard name.hasPrefix("smpte-"), let code = Int(name.dropFirst(6)), smpte[code] == nil else { return nil }
        guard let known = smpteWithoutEquivalent[code] else { return "SMPTE 258M has no wipe code \(code)" }
        return "the SMPTE wipe \(code) (\(known)) has no equivalent among the transitions here"
    }
}
