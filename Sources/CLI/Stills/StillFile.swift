/// One image file, and the requests that it answers; several times may show one frame.
struct StillFile: Sendable {
    /// The positions of the requests, in the order in which they were made.
    var positions: [Int]
    /// The frame number, counted from 0.
    let frame: Int64
    let file: OutputFile
}
