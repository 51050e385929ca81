import CompositionModel
import Timing

/// Where a time stands, which decides what it may be.
enum TimeUse {
    /// A source's in point: the only one that may be a frame number.
    case inPoint
    /// A place: not negative.
    case place
    /// A length that is not empty.
    case length
    /// A length that may be empty.
    case gap
    /// A key of an animation: any time.
    case key
}

extension ReadingContext {
    /// A time in quotes, kept as it is written; one that `use` does not allow is a finding.
    func time(_ node: JSONNode?, _ use: TimeUse) -> Marked<EditTime>? {
        guard let node else { return nil }
        switch node.value {
        case .number(let number): return timeIsNumber(number, node.mark)
        case .string(let text): return time(Marked(text, node.mark), use)
        default:
            wrongType(node, wanted: "a time in quotes such as \"2.5s\"")
            return nil
        }
    }

    private func timeIsNumber(_ number: String, _ mark: SourceMark) -> Marked<EditTime>? {
        let message = "a time is never a number: its unit must be written, as in \"2.5s\" or \"15f\""
        report(.timeIsNumber, mark, message, suggestion: TimeText.suggestion(for: number + "s"))
        return nil
    }

    private func time(_ text: Marked<String>, _ use: TimeUse) -> Marked<EditTime>? {
        do {
            // Only the first of very many wrong times are listed.
            let isListed = findings.count < FindingShortlist.most
            let time = Marked(try TimeText.read(text.value, suggests: isListed), text.mark)
            guard isAllowed(time, use) else { return nil }
            times.append(time)
            return time
        } catch {
            report(error, text.mark)
            return nil
        }
    }

    private func isAllowed(_ time: Marked<EditTime>, _ use: TimeUse) -> Bool {
        if case .frameNumber = time.value, use != .inPoint {
            report(.sourceFrame(time.value), time.mark)
            return false
        }
        if use != .key, time.value.isNegative {
            report(.timeRange, time.mark, "the time “\(time.value)” is negative, which it must not be here")
            return false
        }
        if use == .length, time.value.isZero {
            report(.timeRange, time.mark, "the duration “\(time.value)” is empty; it must be above 0")
            return false
        }
        return true
    }

    /// Makes a finding of what is wrong with a time.
    func report(_ error: TimeTextError, _ mark: SourceMark) {
        report(FindingRule(error.rule), mark, error.message, suggestion: error.suggestion)
    }

    /// `[start, duration]`; nil where either is wrong.
    func range(_ node: JSONNode?, start use: TimeUse) -> EditRange? {
        guard let node else { return nil }
        guard case .array(let items) = node.value, items.count == 2 else {
            wrongRange(node)
            return nil
        }
        let (start, duration) = (time(items[0], use), time(items[1], .length))
        guard let start, let duration else { return nil }
        return EditRange(start: start, duration: duration, mark: node.mark)
    }

    private func wrongRange(_ node: JSONNode) {
        guard case .array(let items) = node.value else {
            return wrongType(node, wanted: "a list of start and duration such as [\"2s\", \"10s\"]")
        }
        let message = "a range has two times, start and duration, not \(items.count)"
        report(.wrongType, node.mark, message, suggestion: "[\"2s\", \"10s\"]")
    }

    /// Finds the labels among all times read that do not exist at the edit's rate, and times too large for it.
    func checkTimes(at rate: FrameRate) {
        for time in times {
            if case .frameNumber = time.value { continue }
            do {
                _ = try time.value.seconds(at: rate)
            } catch {
                report(error, time.mark)
            }
        }
    }
}
