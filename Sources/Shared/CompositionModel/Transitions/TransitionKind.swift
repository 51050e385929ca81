/// The kinds of transitions from one picture to the next, by their names in the canonical form (docs/transitions.md).
package enum TransitionKind: String, Sendable, Hashable, Codable, CaseIterable {
    case dissolve, fadeThrough
    // Pictures that move.
    case push, slide, cover, reveal
    // Edges that run over the frame.
    case wipe, box, fourBoxes, barnDoor, vee, bowTie, barnVee, zigZag, iris
    case clock, sweep, fan, doubleFan, blinds, checkerboard, snake, spiral
    case zoom, blur
    /// An edge that follows the brightness of a picture.
    case luma
    // The kinds of FFmpeg's filter xfade, by its names; its `fade` is `dissolve` here, its `dissolve` is `noise`.
    case wipeleft, wiperight, wipeup, wipedown, slideleft, slideright, slideup, slidedown
    case circlecrop, rectcrop, distance, fadeblack, fadewhite, radial
    case smoothleft, smoothright, smoothup, smoothdown, circleopen, circleclose
    case vertopen, vertclose, horzopen, horzclose, noise, pixelize
    case diagtl, diagtr, diagbl, diagbr, hlslice, hrslice, vuslice, vdslice, hblur, fadegrays
    case wipetl, wipetr, wipebl, wipebr, squeezeh, squeezev, zoomin, fadefast, fadeslow
    case hlwind, hrwind, vuwind, vdwind, coverleft, coverright, coverup, coverdown
    case revealleft, revealright, revealup, revealdown

    /// The name of the transition in FFmpeg's filter `xfade`; nil for a kind that `xfade` does not have.
    package var xfadeName: String? {
        switch self {
        case .dissolve: "fade"
        case .noise: "dissolve"
        case _ where isOwn: nil
        default: rawValue
        }
    }

    /// Whether the kind is one of this project, and not one that exists only for `xfade`.
    package var isOwn: Bool { TransitionKind.own.contains(self) }

    private static let own: Set<TransitionKind> = [
        .dissolve, .fadeThrough, .push, .slide, .cover, .reveal, .wipe, .box, .fourBoxes, .barnDoor, .vee, .bowTie,
        .barnVee, .zigZag, .iris, .clock, .sweep, .fan, .doubleFan, .blinds, .checkerboard, .snake, .spiral, .zoom,
        .blur, .luma,
    ]
}

/// The direction in which a picture or an edge moves.
package enum TransitionDirection: String, Sendable, Hashable, Codable, CaseIterable {
    case left, right, up, down, upLeft, upRight, downLeft, downRight

    static let straight: [TransitionDirection] = [.left, .right, .up, .down]
    static let diagonal: [TransitionDirection] = [.upLeft, .upRight, .downLeft, .downRight]
}

/// The outline of an iris.
package enum TransitionShape: String, Sendable, Hashable, Codable, CaseIterable {
    case circle, ellipse, rectangle, square, diamond, triangle, pentagon, hexagon, star, cross, heart, eye
}
