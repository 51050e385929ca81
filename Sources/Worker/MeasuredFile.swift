import CompositionModel
import Foundation
import Planning
import Samples
import Sandbox
import Threads

/// A measurement that a child wrote. It is checked before it is reported, because it is joined with the pieces of other
/// workers, and once it is accepted nobody measures it again.
struct MeasuredFile {
    let path: String

    /// Checks that the file is a measurement of the task's piece, or says that none is needed where that is so.
    /// - Parameter readings: for each round before the task's the files of its pieces in order of time.
    /// - Throws: `RenderFailed` with `measurement_invalid`, after which another worker tries it.
    func check(_ task: MeasureTask, after readings: [[String]]) async throws {
        guard await DedicatedThread.run({ isPiece(of: task, after: readings) }) else {
            throw RenderFailed(
                Failure(
                    code: "measurement_invalid",
                    message: "The render process wrote no measurement of its piece; another worker tries it.",
                    isPermanent: false
                )
            )
        }
    }

    private func isPiece(of task: MeasureTask, after readings: [[String]]) -> Bool {
        guard let isNeeded = isNeeded(task, after: readings) else { return false }
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64
        guard let size, size <= task.mostPieceBytes, let data = FileManager.default.contents(atPath: path) else {
            return false
        }
        return task.isPiece([UInt8](data), isNeeded: isNeeded)
    }

    /// Whether the rounds before the task's leave something to measure; nil when their files are not of its programme.
    private func isNeeded(_ task: MeasureTask, after readings: [[String]]) -> Bool? {
        guard task.round != nil else { return true }
        let search = try? LoudnessSearch(after: readings, of: task.sound) { path in
            let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) }
            guard let piece = bytes.flatMap(LoudnessPiece.init(decoding:)) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return piece
        }
        guard let search else { return nil }
        if case .measure = search.step { return true }
        return false
    }
}
