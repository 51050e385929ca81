package import Timing

/// How fast a job goes: what the attempts of the last half minute did, each as if it worked evenly.
///
///     window        |←————————— 30 s ————————→| now
///     completed  [==|=====]                      counts by the part of its time that lies in the window
///     live               [=========== 40 % ····  counts by its progress
package struct JobPace: Sendable, Hashable {
    /// The length of the window.
    package static let windowMilliseconds: Int64 = 30_000
    /// The shortest time from which anything is told.
    static let leastMilliseconds: Int64 = 1000

    /// The seconds of the output that are rendered per second; nil when that is not known.
    package var speed: Double?
    /// The seconds until all tasks are completed, at this pace and not before the slowest task that is under way is; nil when
    /// that is not known. It goes up and down: ``FinishEstimate`` says what people are told.
    package var secondsLeft: Double?

    /// - Parameters:
    ///   - permille: the job's progress in thousandths.
    ///   - now: the instant at which `standing` was read.
    package init(_ standing: JobStanding, permille: Int, frameRate: FrameRate, at now: FarmTime) {
        let windowStart = now.adding(milliseconds: -Self.windowMilliseconds)
        let efforts = Self.furthest(standing.efforts).filter { ($0.ended ?? now) > windowStart }
        guard let first = efforts.map({ max($0.started, windowStart) }).min() else { return }
        let span = now.milliseconds(since: first)
        guard span >= Self.leastMilliseconds else { return }
        var (frames, cost) = (0.0, 0.0)
        for effort in efforts {
            let end = effort.ended ?? now
            let whole = Double(max(1, end.milliseconds(since: effort.started)))
            let inside = Double(end.milliseconds(since: max(effort.started, windowStart)))
            let share = min(1, inside / whole) * Double(effort.permille) / 1000
            frames += share * Double(effort.frames)
            cost += share * Double(effort.costMilliseconds)
        }
        let seconds = Double(span) / 1000
        if frames > 0 {
            speed = frames * Double(frameRate.denominator) / Double(frameRate.numerator) / seconds
        }
        if cost > 0, standing.costMilliseconds > 0 {
            let paced = Double(standing.costMilliseconds) * Double(1000 - permille) / 1000 / (cost / seconds)
            // At the end of a job there is less to do than there are workers.
            secondsLeft = max(paced, efforts.map { $0.secondsLeft(at: now) }.max() ?? 0)
        }
    }

    /// The efforts without those at tasks on which another attempt got further.
    private static func furthest(_ efforts: [TaskEffort]) -> [TaskEffort] {
        var best: [Int: TaskEffort] = [:]
        for effort in efforts where effort.permille >= (best[effort.position]?.permille ?? 0) {
            best[effort.position] = effort
        }
        return best.values.sorted()
    }
}

extension TaskEffort {
    /// The progress in thousandths from which an attempt tells when it will be done: before, most of its time went to its
    /// sources.
    static let tellingPermille = 50

    /// The seconds until a live attempt is done, if it goes on as it went; 0 for one that is done or has not said anything.
    fileprivate func secondsLeft(at now: FarmTime) -> Double {
        guard ended == nil, permille >= Self.tellingPermille else { return 0 }
        return Double(now.milliseconds(since: started)) / 1000 * Double(1000 - permille) / Double(permille)
    }
}

extension FrameRate {
    /// The length of a number of frames in seconds, for people.
    package func seconds(_ frames: Int64) -> Double { Double(frames) * Double(denominator) / Double(numerator) }
}
