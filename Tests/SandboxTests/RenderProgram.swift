import Foundation
import Sandbox

/// The `cutfarm-render` that was built with these tests, in the folder of the test bundle.
enum RenderProgram {
    struct Missing: Error { let folder: String }

    static func process() throws -> RenderProcess { RenderProcess(executable: try path()) }

    static func path() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let places = [own, CommandLine.arguments[0]] + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        for place in places {
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            // A package without products names the program after its target.
            for name in ["cutfarm-render", "RenderChild"] {
                let path = folder.appendingPathComponent(name).path
                if FileManager.default.isExecutableFile(atPath: path) && !isFolder(path) { return path }
            }
        }
        throw Missing(folder: own)
    }

    private static func isFolder(_ path: String) -> Bool {
        var about = stat()
        return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }

    /// Processes with `text` in their command line, this one left out.
    static func processes(with text: String) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard process != getpid(), let data = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else { return false }
            return String(decoding: data, as: UTF8.self).contains(text)
        }
    }
}
