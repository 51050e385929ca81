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

    let rate: FrameRate
    let frameCount: Int64

    /// The frame that is on screen at `text`, a time of the timeline or `#120`.
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
                frame = try rate.frame(at: try time.seconds(at: rate), rounding: .down).value
            }
        } catch let error as TimeTextError {
            throw Refusal(sentence: error.message)
        } catch {
            throw Refusal(sentence: "that is too large a time")
        }
        guard (0..<frameCount).contains(frame) else {
            throw Refusal(sentence: "nothing is shown then; the last frame is \(frameCount - 1), at \(lastTime)")
        }
        return frame
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
            let frame = try rate.frame(at: time, rounding: .down).value
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

    /// Whole frames in `tolerance`.
    func distance(_ tolerance: String) throws -> Int64 {
        do {
            return try rate.frame(at: TimeText.read(tolerance).seconds(at: rate), rounding: .down).value
        } catch {
            throw CommandFailure(
                .usage,
                "--tolerance \(tolerance): \((error as? TimeTextError)?.message ?? "\(error)")."
            )
        }
    }

    /// Exact seconds at which `frame` begins.
    func time(_ frame: Int64) -> RationalTime { (try? rate.time(ofFrame: frame)) ?? .zero }

    private var lastTime: String { "\(EditTime.seconds(time(frameCount - 1)))" }
}
