import Timing

/// The frame that is being made, as everything that draws a part of it sees it.
struct FrameContext {
    /// The 0-based number of the frame in its segment.
    let frame: Int64
    /// The number of frames from the start of the frame's instruction to it.
    let step: Int64
    /// The duration of every frame of the segment.
    let frameDuration: RationalTime
    /// All sources that are seen in the frame. Their readers stay open while it is made.
    private(set) var playing: Set<Playback>
    /// Whether what a track shows is drawn without the track's own appearance and as if nothing lay below it, because
    /// the appearance will be applied to all of it as one picture.
    private(set) var isTrackAlone = false

    init(frame: Int64, step: Int64, frameDuration: RationalTime, playing: Set<Playback>) {
        (self.frame, self.step) = (frame, step)
        (self.frameDuration, self.playing) = (frameDuration, playing)
    }

    /// The same frame with ``isTrackAlone`` set.
    var withTrackAlone: FrameContext {
        var context = self
        context.isTrackAlone = true
        return context
    }

    /// The same frame, in which `playback` is seen too.
    func playing(_ playback: Playback) -> FrameContext {
        var context = self
        context.playing.insert(playback)
        return context
    }
}
