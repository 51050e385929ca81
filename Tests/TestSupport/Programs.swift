package import Foundation

/// The built programs, where SwiftPM puts them: beside the test bundle. `CUTFARM_PROGRAMS` names another folder.
package enum Programs {
    package static let cutfarm = folder.appendingPathComponent("cutfarm").path
    package static let render = folder.appendingPathComponent("cutfarm-render").path
    /// Of the repository: where `Examples` and `Tests` are.
    package static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["CUTFARM_PROGRAMS"] { return URL(fileURLWithPath: named) }
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
        while folder.path != "/" {
            let program = folder.appendingPathComponent("cutfarm").path
            if FileManager.default.isExecutableFile(atPath: program) { return folder }
            folder.deleteLastPathComponent()
        }
        return folder
    }()
}
