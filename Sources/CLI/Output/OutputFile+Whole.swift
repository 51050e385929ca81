import Foundation
import Storage

extension OutputFile {
    /// Lets `make` write a whole file in a folder of its own beside the output, then moves it to its place.
    /// - Parameter name: the name of the file in that folder.
    /// - Returns: what `make` returns.
    /// - Throws: ``CommandFailure`` when the folder or the file cannot be written, or the file appeared meanwhile; the
    ///   error that `make` throws.
    func deliverWhole<Value>(named name: String, _ make: (_ path: String) async throws -> Value) async throws -> Value {
        let parent = StateFolder.absolute(folder)
        ScratchFolder.sweep(below: parent, named: OutputFile.scratchPrefix)
        let scratch = try ScratchFolder(below: parent, named: OutputFile.scratchPrefix)
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.file(name)
        let value = try await make(path)
        try place(path)
        return value
    }

    private static let scratchPrefix = ".cutfarm-export-"
}
