import Foundation

/// Writes image files.
enum StillFile {
    /// - Throws: ``RenderError`` `no_space` or `write_failed`; nothing is left then.
    static func write(_ data: Data, to path: String) throws(RenderError) {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw RenderError(
                isFull ? "no_space" : "write_failed",
                isFull ? "There is no space left for \(path)." : "\(path) cannot be written: \(error)."
            )
        }
    }
}
