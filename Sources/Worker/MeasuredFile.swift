import Foundation
import Samples
import Sandbox
import Shared

/// What a child wrote for a measuring task, looked at before it counts: it is joined with the pieces of other workers,
/// and once it is accepted nobody measures it again.
struct MeasuredFile {
    let path: String
    /// More than a piece with the most columns needs.
    private static let mostBytes = 1 << 30

    /// - Throws: `RenderFailed` with `measurement_invalid`, after which another worker tries it.
    func check(_ task: MeasureTask) throws {
        guard let bytes, task.isPiece(bytes) else {
            throw RenderFailed(
                Failure(
                    code: "measurement_invalid",
                    message: "The render process wrote no measurement of its piece; another worker tries it.",
                    isPermanent: false
                )
            )
        }
    }

    private var bytes: [UInt8]? {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        guard let size, size <= Self.mostBytes else { return nil }
        return (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) }
    }
}
