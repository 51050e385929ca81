import Foundation
import Shared

/// The frames that `cutfarm still` is asked for.
struct StillTimes {
    /// One request: as it was written, and the frame that answers it.
    struct Wanted: Sendable {
        let text: String
        let frame: Result<Int64, Refusal>
    }

    struct Refusal: Error, Sendable {
        let sentence: String
    }

    /// Of the timeline. Of a media file what `15f` and timecodes count in.
    let rate: FrameRate
    let frameCount: Int64
    /// Of a media file: its own frames are shown, each from its own time on.
    var stream: VideoStreamFacts?

    /// The frame that is on screen at `text`, a time of the timeline, or `#120`, the 121st frame.
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

    /// Below 0 before the start; at least ``frameCount`` from the end on.
    private func number(at time: RationalTime) throws(TimeError) -> Int64 {
        guard let stream, stream.isVariableRate else {
            return try (stream?.frameRate ?? rate).frame(at: time, rounding: .down).value
        }
        if time.isNegative { return -1 }
        return time < stream.duration ? try stream.frame(shownAt: time) : frameCount
    }

    /// Every `step` from the start.
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

    /// `count` frames in the middles of as many equal parts.
    func spread(_ count: Int) -> [Int64] {
        let count = Int64(count)
        return (0..<min(count, frameCount)).map { part in
            frameCount < count ? part : frameCount * (2 * part + 1) / (2 * count)
        }
    }

    /// Seconds of `tolerance`.
    func distance(_ tolerance: String) throws -> RationalTime {
        do {
            return try TimeText.read(tolerance).seconds(at: rate)
        } catch {
            throw CommandFailure(.usage, "--tolerance \(tolerance): \(error.message).")
        }
    }

    /// Exact seconds at which `frame` begins.
    func time(_ frame: Int64) -> RationalTime {
        let time = stream.map { stream in try? stream.time(ofFrame: frame) } ?? (try? rate.time(ofFrame: frame))
        return time ?? .zero
    }

    private var lastTime: String { TimeWords.seconds(time(frameCount - 1)) }
}
