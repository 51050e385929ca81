import Foundation

/// The repository's own sources, as text.
enum SourceTree {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let sources = root.appendingPathComponent("Sources")

    /// The modules of Sources that live in its folder `Shared`.
    static let shared = ["Timing", "CompositionModel", "Planning", "WireProtocol", "EditLanguage"]

    static func folder(of module: String) -> URL {
        let parent = shared.contains(module) ? sources.appendingPathComponent("Shared") : sources
        return parent.appendingPathComponent(module)
    }

    /// A target of Package.swift that is no module of Sources.
    struct TestTarget {
        let name: String
        /// From the root of the repository.
        let folder: String
        let dependencies: Set<String>
    }

    /// The targets of Package.swift whose files lie in `Tests` or `Benchmarks`.
    static func testTargets() throws -> [TestTarget] {
        let text = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        func names(_ list: Substring?) -> [String] { (list ?? "").matches(of: #/"(\w+)"/#).map { String($0.1) } }
        // `tests("Media", ["Timing"], optimised)`: the function adds the module itself and TestSupport.
        let modules = text.matches(of: #/tests\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/#).map { entry in
            TestTarget(
                name: entry.1 + "Tests",
                folder: "Tests/\(entry.1)Tests",
                dependencies: Set(names(entry.2) + [String(entry.1), "TestSupport"])
            )
        }
        let others = text.matches(of: #/name: "(\w+)",\s*dependencies: \[([^\]]*)\],\s*(?:path: "([^"]*)")?/#)
        return modules
            + others.map { entry in
                TestTarget(
                    name: String(entry.1),
                    folder: entry.3.map(String.init) ?? "Tests/\(entry.1)",
                    dependencies: Set(names(entry.2))
                )
            }
            .filter { FileManager.default.fileExists(atPath: root.appendingPathComponent($0.folder).path) }
            .filter { !$0.folder.hasPrefix("Sources/") }
    }

    /// All Swift files below a folder of the repository, with their paths from its root.
    static func files(below folder: String) throws -> [SourceFile] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: root.appendingPathComponent(folder + "/" + path), encoding: .utf8)
            return SourceFile(path: folder + "/" + path, text: text)
        }
    }

    /// The Swift files of a module with their folders inside it, `""` at its top.
    static func files(of module: String) throws -> [SourceFile] {
        let folder = folder(of: module)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            return SourceFile(path: path, text: text)
        }
    }
}

/// One Swift file of a module.
struct SourceFile {
    /// Relative to its module's folder, or to the root of the repository: to what it was asked of.
    let path: String
    let text: String

    /// The folder that it stands in, relative to its module's.
    var folder: String { String(path.split(separator: "/").dropLast().joined(separator: "/")) }

    /// The modules that it imports, in whatever way.
    var imports: Set<String> {
        let levels: Set<Substring> = ["public", "internal", "private", "fileprivate", "package"]
        return Set(
            text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                    words[..<at].allSatisfy({ $0.hasPrefix("@") || levels.contains($0) })
                else { return nil }
                return String(words[at + 1])
            }
        )
    }

    /// The file without comments, with the programs in other languages that stand in its string literals.
    var uncommented: String { text.replacing(#/(?m)//.*$/#, with: "") }

    /// The file without comments and string literals.
    private var code: String {
        var code = uncommented
        code = code.replacing(#/"""[\s\S]*?"""/#, with: "")
        return code.replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "\"\"")
    }

    /// Names of types and functions that it declares at its top level.
    var declared: Set<String> {
        let declaration =
            #/(?m)^(?:@\w+(?:\([^)]*\))? |public |package |final |indirect |nonisolated )*(?:struct|class|enum|protocol|typealias|actor|func) (\w+)/#
        return Set(code.matches(of: declaration).map { String($0.1) })
    }

    /// All words of its code: the names that it may use.
    var words: Set<String> { Set(code.matches(of: #/[A-Za-z_]\w*/#).map { String($0.0) }) }
}
