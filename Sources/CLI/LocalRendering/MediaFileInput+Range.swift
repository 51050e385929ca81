import CompositionModel
import Timing

// This extension reads the part of the file that `--range` names.
extension MediaFileInput {
    /// Reads the two times of `--range`.
    /// - Parameter range: start and duration as the user wrote them; empty for the whole file.
    /// - Returns: nil for the whole file.
    /// - Throws: ``CommandFailure`` for text that is no time, and for times outside the file.
    func span(_ range: [String]) throws -> TimeRange? {
        guard range.count == 2 else { return nil }
        let times: [RationalTime]
        do {
            times = try range.map { try TimeText.read($0).seconds(at: stream?.editRate ?? readRate) }
        } catch let error as TimeTextError {
            throw CommandFailure(.usage, "--range \(range.joined(separator: " ")): \(error.message).")
        }
        guard !times[0].isNegative else { throw refused(range, "begins before 0s, where \(path) does") }
        guard times[1] > .zero else { throw refused(range, "has no length") }
        let end = try end
        guard try times[0].adding(times[1]) <= end else {
            throw refused(range, "goes on after \(TimeWords.seconds(end)), where \(path) ends")
        }
        return try TimeRange(start: times[0], duration: times[1])
    }

    /// Start and duration of `range` for the timeline of ``edit(for:)``, in seconds, which mean the same at every rate.
    /// - Throws: `TimeError` for times out of reach.
    func texts(_ range: TimeRange) throws -> [String] {
        var end = try range.start.adding(range.duration)
        if let stream, stream.isVariableRate {
            // The last frame may be cut off at the end of a timeline.
            let shown = try readRate.time(ofFrame: readRate.frame(at: stream.duration).value)
            if shown > range.start { end = min(end, shown) }
        }
        return try [range.start, end.subtracting(range.start)].map { "\(EditTime.seconds($0))" }
    }

    /// The number of frames on the timeline of ``readRate``.
    func readCount(_ stream: VideoStreamFacts) throws -> Int64 {
        stream.isVariableRate ? try readRate.frame(at: stream.duration, rounding: .up).value : stream.frameCount
    }

    /// The end of the file, in its own time.
    private var end: RationalTime {
        get throws {
            if let stream { return try readRate.time(ofFrame: readCount(stream)) }
            return try sound.map { sound in
                try sound.start.adding(RationalTime(sound.sampleCount, Int64(sound.sampleRate)))
            } ?? .zero
        }
    }

    private func refused(_ range: [String], _ reason: String) -> CommandFailure {
        CommandFailure(.usage, "--range \(range.joined(separator: " ")) \(reason).")
    }
}
