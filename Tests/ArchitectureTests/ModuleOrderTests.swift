import Foundation
import Testing

/// docs/architecture.md names every module in the order of the data, and each imports only modules before it. The
/// document, `Package.swift` and the files' imports say the same.
@Suite struct ModuleOrderTests {
    static let document = Result { try ArchitectureDocument() }
    static let names = (try? document.get().modules.map(\.name)) ?? []

    @Test func theDocumentNamesEveryModule() throws {
        let manager = FileManager.default
        let folders = try manager.contentsOfDirectory(atPath: SourceTree.sources.path).filter { name in
            // Module maps of the system's libraries belong to the module that imports them.
            let map = SourceTree.sources.appendingPathComponent("\(name)/module.modulemap")
            return name != "Shared" && !manager.fileExists(atPath: map.path)
        }
        let shared = try manager.contentsOfDirectory(atPath: SourceTree.sources.appendingPathComponent("Shared").path)
        #expect(Set(shared) == Set(SourceTree.shared))
        #expect(Self.names.count > 20 && Set(Self.names).count == Self.names.count)
        #expect(Set(Self.names) == Set(folders).union(shared))
    }

    @Test(arguments: names) func aModuleImportsThoseBeforeIt(module: String) throws {
        let modules = try Self.document.get().modules
        let place = try #require(modules.firstIndex { $0.name == module })
        let before = Set(modules[..<place].map(\.name))
        #expect(Set(modules[place].imports).isSubset(of: before))
        let ours = Set(Self.names)
        let used = try SourceTree.files(of: module).reduce(into: Set<String>()) { $0.formUnion($1.imports) }
        #expect(used.intersection(ours) == Set(modules[place].imports), "the imports of \(module)'s files")
    }

    /// What `swift build` compiles is what the document says.
    @Test(arguments: names) func theManifestSaysTheSame(module: String) throws {
        let manifest = try String(
            contentsOf: SourceTree.root.appendingPathComponent("Package.swift"),
            encoding: .utf8
        )
        let name = "name: \"\(module)\""
        let start = try #require(manifest.range(of: name), "\(module) is no target")
        // A target ends where the next one begins.
        let rest = manifest[start.upperBound...]
        let entry = rest[..<(rest.range(of: "\n    .")?.lowerBound ?? rest.endIndex)]
        let listed = entry.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1 ?? ""
        let dependencies = Set(listed.matches(of: #/"(\w+)"/#).map { String($0.1) }).intersection(Self.names)
        let modules = try Self.document.get().modules
        let imports = try #require(modules.first { $0.name == module }).imports
        #expect(dependencies == Set(imports))
    }

    /// A module that a target does not depend on may be built after it: then a clean build fails, now and then.
    @Test func testsAndBenchmarksDependOnWhatTheyImport() throws {
        let targets = try SourceTree.testTargets()
        #expect(targets.count > 30 && targets.contains { $0.name == "EndToEndTests" && $0.dependencies.count > 5 })
        let ours = Set(Self.names + targets.map(\.name))
        for target in targets {
            let declared = target.dependencies.union([target.name])
            for file in try SourceTree.files(below: target.folder) {
                let missing = file.imports.intersection(ours).subtracting(declared)
                #expect(missing.isEmpty, "Package.swift: the target of \(file.path) needs \(missing.sorted())")
            }
        }
    }

    /// Only the module that owns a C library imports it.
    @Test(
        arguments: [
            "CLibAV": "Media", "CPango": "Titles", "CLibAss": "Subtitles", "CLibPQ": "PostgreSQL", "CLibCurl": "Curl",
            "CLibCrypto": "Digests", "CLibSSL": "TLS", "CVectors": "Pixels", "CEmbedded": "Coordinator",
        ]
    )
    func oneOwnerForEachLibrary(library: String, owner: String) throws {
        let users = try Self.names.filter { module in
            try SourceTree.files(of: module).contains { $0.imports.contains(library) }
        }
        #expect(users == [owner])
    }

    /// Where samples and pixels are made nothing walks over floating-point numbers: the standard library takes such
    /// steps with libm's `fma`, an emulation where the processor's is masked, and a hundred times as slow.
    @Test(arguments: SourceTree.shared + ["Pixels", "Samples", "Rendering"])
    func noStepsOfFloatingPointNumbers(module: String) throws {
        for file in try SourceTree.files(of: module) {
            #expect(file.text.firstMatch(of: /stride\(from: -?[0-9]+\.[0-9]/) == nil, "\(file.path)")
        }
    }
}
