import CompositionModel
import Media
package import Planning
import Timing

/// Writes composited frames as YUV4MPEG2, which every tool of the field reads: untouched by any encoder.
package enum RawPictureWriter {
    /// All frames of `task`, in order, to the file or pipe `path`.
    /// - Parameters:
    ///   - sources: in the order of `task.assets`.
    ///   - progress: 0 … 1000, ascending.
    /// - Returns: frames written.
    /// - Throws: ``RenderError``, ``MediaError``.
    package static func write(
        _ task: PictureTask,
        sources: [RenderSource],
        to path: String,
        progress: (Int) -> Void
    ) throws -> Int64 {
        let compositor = try Compositor(task: task, sources: sources)
        let output = try RawOutput(path: path)
        try output.write(Array(header(of: task).utf8))
        let mark = Array("FRAME\n".utf8)
        for frame in 0..<task.frameCount {
            let picture = try compositor.picture(at: frame)
            try mark.withUnsafeBytes { mark in
                output.add(mark)
                try add(picture, plane: 0, to: output) { try output.flush() }
            }
            progress(Int((frame + 1) * 1000 / task.frameCount))
        }
        return task.frameCount
    }

    /// All planes from `plane` on; `body` runs while they stay where they are.
    private static func add(
        _ picture: Picture,
        plane: Int,
        to output: RawOutput,
        body: () throws -> Void
    ) throws {
        guard plane < picture.planeCount else { return try body() }
        try picture.withPlane(plane) { view in
            for y in 0..<view.height { output.add(view.row(y)) }
            try add(picture, plane: plane + 1, to: output, body: body)
        }
    }

    /// yuv4mpeg(5). The chroma samples lie as in MPEG-2, to the left.
    private static func header(of task: PictureTask) -> String {
        let (size, rate) = (task.size, task.frameRate)
        return "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C420mpeg2 "
            + "XYSCSS=420MPEG2 XCOLORRANGE=\(task.color.isFullRange ? "FULL" : "LIMITED")\n"
    }
}
