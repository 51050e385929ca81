import CompositionModel
import Foundation
import Planning
import Timing

/// Finds the frames that answer the times given to `cutfarm still`.
struct StillTimes {
    /// A request as it was written, and the frame that answers it.
    struct Wanted: Sendable {
        let text: String
        let frame: Result<Int64, Refusal>
    }

    /// The reason why a time has no frame.
    struct Refusal: Error, Sendable {
        let sentence: String
    }

    /// The timeline's frame rate; for a media file, the rate at which `15f` and timecodes count.
    let rate: FrameRate
    let frameCount: Int64
    /// The stream of a media file, each of whose frames is shown from its own time on; nil for an edit.
    var stream: VideoStreamFacts?

    /// The frame that is on screen at a time.
    /// - Parameter text: a time of the timeline or of the file, or a frame number such as `#120`, counted from 0.
    func wanted(_ text: String) -> Wanted {
        Wanted(text: text, frame: Result { () throws(Refusal) in try frame(text) })
    }

    private func frame(_ text: String) throws(Refusal) -> Int64 {
        let frame: Int64
        do {
            let time = try TimeText.read(text)
            if case .frameNumber(let number) = time {
                frame = number
            } else {
                frame = try number(at: try time.seconds(at: rate))
            }
        } catch let error as TimeTextError {
            throw Refusal(sentence: error.message)
        } catch {
            throw Refusal(sentence: "that is too large a time")
        }
        guard frame >= 0 else { throw Refusal(sentence: "a time below 0 is before the first frame") }
        guard frame < frameCount else {
            throw Refusal(sentence: "nothing is shown then; the last frame is \(frameCount - 1), at \(lastTime)")
        }
        return frame
    }

    /// The number of the frame at `time`: negative before the start, at least ``frameCount`` from the end on.
    private func number(at time: RationalTime) throws(TimeError) -> Int64 {
        guard let stream, stream.isVariableRate else {
            return try (stream?.frameRate ?? rate).frame(at: time, rounding: .down).value
        }
        if time.isNegative { return -1 }
        return time < stream.duration ? try stream.frame(shownAt: time) : frameCount
    }

    /// The frames at all multiples of `step`, from 0 to the end.
    /// - Throws: ``CommandFailure`` for a step that is no time, or shorter than a frame.
    func every(_ step: String) throws -> [Wanted] {
        let seconds: RationalTime
        do {
            seconds = try TimeText.read(step).seconds(at: rate)
        } catch {
            throw CommandFailure(.usage, "--every \(step): \(error.message).")
        }
        guard seconds >= rate.frameDuration else {
            throw CommandFailure(.usage, "--every \(step) is shorter than a frame; write 1f for every frame.")
        }
        var wanted: [Wanted] = []
        while true {
            let time = try RationalTime(Int64(wanted.count), of: seconds)
            let frame = try number(at: time)
            guard frame < frameCount else { return wanted }
            wanted.append(Wanted(text: "\(EditTime.seconds(time))", frame: .success(frame)))
        }
    }

    /// The frames in the middles of `count` equal parts; all frames when there are no more than `count`.
    func spread(_ count: Int) -> [Int64] {
        let count = Int64(count)
        return (0..<min(count, frameCount)).map { part in
            frameCount < count ? part : frameCount * (2 * part + 1) / (2 * count)
        }
    }

    /// Reads `--tolerance` as seconds.
    /// - Throws: ``CommandFailure`` for text that is no time.
    func distance(_ tolerance: String) throws -> RationalTime {
        do {
            return try TimeText.read(tolerance).seconds(at: rate)
        } catch {
            throw CommandFailure(.usage, "--tolerance \(tolerance): \(error.message).")
        }
    }

    /// The exact time at which `frame` begins, in seconds.
    func time(_ frame: Int64) -> RationalTime {
        let time = stream.map { stream in try? stream.time(ofFrame: frame) } ?? (try? rate.time(ofFrame: frame))
        return time ?? .zero
    }

    private var lastTime: String { TimeWords.seconds(time(frameCount - 1)) }
}

extension LocalRendering {
    /// The times and frames of the input.
    /// - Throws: ``CommandFailure`` for an input without pictures.
    func stillTimes() throws -> StillTimes {
        let task = try plannedPicture()
        guard let stream = footage?.stream else { return StillTimes(rate: task.frameRate, frameCount: plan.frameCount) }
        return StillTimes(rate: stream.editRate, frameCount: stream.frameCount, stream: stream)
    }
}
