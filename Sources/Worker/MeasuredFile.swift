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

    /// Checks that the file is a measurement of the task's piece.
    /// - Throws: `RenderFailed` with `measurement_invalid`, after which another worker tries it.
    func check(_ task: MeasureTask) async throws {
        guard await DedicatedThread.run({ isPiece(of: task) }) else {
            throw RenderFailed(
                Failure(
                    code: "measurement_invalid",
                    message: "The render process wrote no measurement of its piece; another worker tries it.",
                    isPermanent: false
                )
            )
        }
    }

    private func isPiece(of task: MeasureTask) -> Bool {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64
        guard let size, size <= task.mostPieceBytes, let data = FileManager.default.contents(atPath: path) else {
            return false
        }
        return task.isPiece([UInt8](data))
    }
}
