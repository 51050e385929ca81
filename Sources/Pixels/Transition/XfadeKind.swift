/// The kinds of FFmpeg's filter `xfade`, by its names: 46 up to version 5.1, the last 12 from 6.1 on.
///
/// The picture of each is defined by that filter; here it is computed in this module's own way and held against the
/// filter by a test.
package enum XfadeKind: String, Sendable, Hashable, CaseIterable {
    case fade, wipeleft, wiperight, wipeup, wipedown, slideleft, slideright, slideup, slidedown
    case circlecrop, rectcrop, distance, fadeblack, fadewhite, radial
    case smoothleft, smoothright, smoothup, smoothdown, circleopen, circleclose
    case vertopen, vertclose, horzopen, horzclose, dissolve, pixelize
    case diagtl, diagtr, diagbl, diagbr, hlslice, hrslice, vuslice, vdslice, hblur, fadegrays
    case wipetl, wipetr, wipebl, wipebr, squeezeh, squeezev, zoomin, fadefast, fadeslow
    case hlwind, hrwind, vuwind, vdwind, coverleft, coverright, coverup, coverdown
    case revealleft, revealright, revealup, revealdown
}
