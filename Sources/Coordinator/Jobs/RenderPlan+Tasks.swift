import Farm
import Planning
import Timing
import WireProtocol

extension RenderPlan {
    /// The tasks as stored: one picture task per segment, one sound task per piece, and one that joins them. Rounds of
    /// measurement precede the sound, one stage each; picture tasks wait for no stage.
    /// ```
    ///  stage    0         1       2       3       4          5
    ///           measure   again   again   again   sound      join
    ///           ├─────────────── pictures ───────────────┤
    /// ```
    /// - Throws: An error when a time overflows.
    func newTasks() throws -> [NewTask] {
        let rounds = soundRounds ?? []
        var tasks = segments.enumerated().map { position, segment in
            NewTask(
                position: position,
                stage: rounds.count,
                isIndependent: !rounds.isEmpty,
                payload: .picture(segment.task),
                frames: segment.frames,
                startBorder: segment.startBorder,
                endBorder: segment.endBorder,
                key: segment.key,
                costMilliseconds: Int64(segment.estimatedCost * 1000)
            )
        }
        for (stage, round) in rounds.enumerated() {
            tasks += try newTasks(measuring: round, from: tasks.count, stage: stage)
        }
        for (number, sound) in soundPieces.enumerated() {
            tasks.append(
                NewTask(
                    position: tasks.count,
                    stage: rounds.count,
                    payload: .sound(sound.task),
                    frames: soundPieces.count > 1 ? try frames(ofSound: number) : nil,
                    key: sound.key,
                    costMilliseconds: Int64(sound.estimatedCost * 1000)
                )
            )
        }
        let joining = NewTask(
            position: tasks.count,
            stage: rounds.count + 1,
            payload: .stitch(stitchTask()),
            costMilliseconds: 200 + frameCount / 10
        )
        return tasks + [joining]
    }

    /// The tasks that measure `pieces` of the sound.
    /// - Parameters:
    ///   - first: The position of the first task.
    ///   - stage: The stage of all of them.
    /// - Throws: An error when a time overflows.
    func newTasks(measuring pieces: [PlannedMeasure], from first: Int = 0, stage: Int = 0) throws -> [NewTask] {
        try pieces.enumerated().map { number, piece in
            // An order may skip the beginning of the sound.
            let start = piece.task.sound.firstSample - (sound?.firstSample ?? 0)
            let count = piece.task.sound.sampleCount
            return NewTask(
                position: first + number,
                stage: stage,
                payload: .measure(piece.task),
                frames: pieces.count > 1 ? try frames(ofSamples: start..<start + count) : nil,
                key: piece.key,
                costMilliseconds: Int64(piece.estimatedCost * 1000)
            )
        }
    }

    /// The frames of the output that begin in a range of its samples, shown to people.
    private func frames(ofSound number: Int) throws -> FrameRange {
        let borders = soundPieces.map(\.start) + [sampleCount]
        return try frames(ofSamples: borders[number]..<borders[number + 1])
    }

    /// The frames of the output that begin in a range of its samples, for people.
    private func frames(ofSamples samples: Range<Int64>) throws -> FrameRange {
        let (start, end) = (try frame(at: samples.lowerBound), try frame(at: samples.upperBound))
        return FrameRange(start: start, count: end - start)
    }

    private func frame(at sample: Int64) throws -> Int64 {
        let time = try RationalTime(sample, Int64(sampleRate))
        return min(try frameRate.frame(at: time, rounding: .up).value, frameCount)
    }
}
