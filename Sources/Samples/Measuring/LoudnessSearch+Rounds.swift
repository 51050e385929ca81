import CompositionModel
package import Planning

extension LoudnessSearch {
    /// The search for the gain of the programme of `task` after the rounds that were measured. Rounds behind the one that
    /// ends the search are not read.
    /// - Parameters:
    ///   - rounds: for each round the files of its pieces in order of time.
    ///   - read: reads the piece in a file.
    /// - Returns: nil when `task` is no piece of a programme that is brought to a loudness, or a round's pieces are not
    ///   all of that programme.
    /// - Throws: what `read` throws.
    package init?(
        after rounds: [[String]],
        of task: SoundTask,
        read: (String) throws -> LoudnessPiece
    ) rethrows {
        guard let programme = task.extent.programme, let target = task.master?.loudness else { return nil }
        self.init(target)
        for files in rounds {
            guard case .measure = step else { break }
            let pieces = try files.map(read)
            let count = programme.sampleCount
            guard let reading = LoudnessPiece.join(pieces, sampleRate: task.sampleRate, wholeSampleCount: count) else {
                return nil
            }
            take(reading)
        }
    }
}
