package import CompositionModel
package import Timing

/// The layers that are composited over one range of frames.
package struct SliceInstruction: Sendable, Hashable, Codable, OrderedObject {
    /// The range of frames, relative to the start of the segment or nested slice.
    package var frames: FrameRange
    /// The layers from the bottom up; empty shows the background.
    package var layers: [SliceLayer]

    package init(frames: FrameRange, layers: [SliceLayer]) {
        self.frames = frames
        self.layers = layers
    }
}

extension SliceInstruction {
    package func write(to members: inout ObjectMembers) throws {
        try members.write("frames", frames)
        try members.write("layers", layers)
    }
}
