import CompositionModel
import Timing

/// Estimates the seconds that a segment takes on one idle core. The estimate orders the queue and feeds the ETA and
/// decides nothing else, so that it may be wrong.
struct CostEstimate {
    let assets: AssetTable

    /// Seconds per pixel on one core: x264 `medium`, x265 `medium`, FFV1, H.264 decoding, and one blend or scale.
    private static let h264: Double = 2e-8
    private static let hevc: Double = 8e-8
    private static let ffv1: Double = 1.2e-8
    private static let decode: Double = 2.5e-9
    private static let composite: Double = 1.5e-9
    /// Seconds for a copied packet.
    private static let copy: Double = 2e-5

    /// The estimated seconds for `task` on one idle core.
    /// - Throws: ``PlanError/missingFacts(_:)`` or ``PlanError/missingStream(_:stream:)`` for an unknown source,
    ///   ``PlanError/time(_:)`` when a time overflows.
    func seconds(of task: PictureTask) throws(PlanError) -> Double {
        let pixels = Double(task.size.width) * Double(task.size.height)
        let encode =
            switch task.encoding.codec {
            case .ffv1: CostEstimate.ffv1
            case .hevc: CostEstimate.hevc
            case .h264, .prores, .dnxhd, .mjpeg: CostEstimate.h264
            }
        let encoded = task.frameCount + task.postRollCount - task.copiedCount
        var seconds = Double(encoded) * pixels * encode + Double(task.copiedCount) * CostEstimate.copy
        var playing: [SliceSource] = []
        for (index, instruction) in task.instructions.enumerated() {
            let layers = instruction.layers
            let count = task.composited(of: instruction.frames)
            seconds += Double(count) * Double(layers.count) * pixels * CostEstimate.composite
            guard count > 0 else {
                playing = []
                continue
            }
            // Few are looked through, which is quicker than a set; a transition of hundreds of layers has many.
            let open = playing.count > 4 ? Set(playing) : []
            try layers.forEachSource { source throws(PlanError) in
                guard source.isNested != true else {
                    seconds += nested(task, source, frames: count)
                    return
                }
                let digest = task.assets[source.asset]
                let isOpen = playing.count > 4 ? open.contains(source) : playing.contains(source)
                seconds += try decoding(source, of: digest, frames: count, isOpen: isOpen)
            }
            guard index + 1 < task.instructions.count else { break }
            playing = try sources(playingAfter: instruction, rate: task.frameRate)
        }
        return seconds
    }

    /// The seconds for a nested edit: roughly a decoded and a composited picture for each of its layers.
    private func nested(_ task: PictureTask, _ source: SliceSource, frames: Int64) -> Double {
        guard let slice = task.nested?[source.asset] else { return 0 }
        let layers = slice.instructions.map(\.layers.count).max() ?? 1
        let pixels = Double(slice.size.width) * Double(slice.size.height)
        return Double(frames) * Double(max(layers, 1)) * pixels * (CostEstimate.decode + CostEstimate.composite)
    }

    /// The sources that a decoder standing at the end of `instruction` can continue without entering at a keyframe
    /// again.
    private func sources(
        playingAfter instruction: SliceInstruction,
        rate: FrameRate
    ) throws(PlanError) -> [SliceSource] {
        var sources: [SliceSource] = []
        try instruction.layers.forEachSource { source throws(PlanError) in
            sources.append(try source.advanced(by: instruction.frames.count, frameDuration: rate.frameDuration))
        }
        return sources
    }

    private func decoding(
        _ source: SliceSource,
        of digest: ContentDigest,
        frames: Int64,
        isOpen: Bool
    ) throws(PlanError) -> Double {
        let stream = try assets.video(source.stream, of: digest)
        let lead = try exact { () throws(TimeError) in
            isOpen ? 0 : stream.decodeDistance(to: try stream.frame(shownAt: source.start))
        }
        let speed = source.speed?.approximateSeconds.magnitude ?? 1
        let played = max(1, Double(frames) * speed)
        return (played + Double(lead)) * Double(stream.width) * Double(stream.height) * CostEstimate.decode
    }
}
