import Pixels

extension TransitionEffect {
    static let plain = WipeEdge(softness: 0, border: 0, color: PlaneColor(235, 128, 128), isReversed: false)

    static let shapes: [WipeShape] =
        WipeDirection.allCases.flatMap { way -> [WipeShape] in
            [
                .bar(way), .box(way), .vee(way), .barnVee(way), .zigZag(way, count: 5),
                .sweep(way, isCounterclockwise: false),
                .fan(way, isCentered: false), .fan(way, isCentered: true), .blinds(way, count: 6),
                .clock(way, count: 1, isCounterclockwise: false),
            ]
        }
        + [WipeDirection.left, .right, .up, .down].map { .snake($0, count: 4) }
        + [WipeDirection.upLeft, .upRight, .downLeft, .downRight].map { .spiral($0, count: 8) }
        + IrisShape.allCases.map { .iris($0, .up) }
        + [
            .fourBoxes, .barnDoor(.right), .barnDoor(.down), .barnDoor(.downRight), .bowTie(.down), .bowTie(.right),
            .doubleFan(.up), .doubleFan(.right), .checkerboard(.right, count: 8),
            .clock(.up, count: 1, isCounterclockwise: true), .clock(.up, count: 2, isCounterclockwise: false),
            .clock(.up, count: 4, isCounterclockwise: false), .sweep(.downRight, isCounterclockwise: true),
            .iris(.triangle, .down),
        ]

    static let moves: [TransitionEffect] = MoveStyle.allCases.flatMap { style in
        [.left, .right, .up, .down].map { .move(style, $0) }
    }

    static let wipes: [TransitionEffect] = shapes.map { .wipe($0, plain) }

    static let ofXfade: [TransitionEffect] = XfadeKind.allCases.map {
        .xfade($0, black: PlaneColor(16, 128, 128), white: PlaneColor(235, 128, 128))
    }

    static let all: [TransitionEffect] =
        [
            .dissolve, .fadeThrough(PlaneColor(16, 128, 128)), .zoom(isOutward: false), .zoom(isOutward: true), .blur,
            .wipe(.bar(.right), WipeEdge(softness: 0.3, border: 0, color: plain.color, isReversed: false)),
            .wipe(.iris(.star, .up), WipeEdge(softness: 0, border: 0.1, color: plain.color, isReversed: true)),
        ] + moves + wipes + ofXfade
}
