import Foundation
import Testing

/// Imports go down only (docs/architecture.md): what each module may import of ours.
@Suite struct ImportTests {
    static let allowed: [String: Set<String>] = [
        "Digests": ["CLibCrypto"],
        "TLS": ["CLibSSL"],
        "Shared": ["Digests"],
        "Pixels": ["CVectors"],
        "Samples": ["Shared"],
        "Threads": [],
        "PostgreSQL": ["CLibPQ", "Threads"],
        "Curl": ["CLibCurl", "Threads"],
        "Farm": ["Shared"],
        "Media": ["Shared", "CLibAV"],
        "Storage": ["Shared"],
        "Sandbox": ["Shared", "CSandbox"],
        "Titles": ["Shared", "CPango"],
        "Subtitles": ["Shared", "CLibAss"],
        "Rendering": ["Shared", "Media", "Pixels", "Samples", "Titles", "Subtitles"],
        "Client": ["Shared", "Curl", "Storage", "Sandbox"],
        "Coordinator": ["Shared", "Farm", "PostgreSQL", "Storage", "Sandbox", "Digests", "TLS"],
        "Worker": ["Shared", "Farm", "Samples", "Client", "Storage", "Sandbox"],
        "RenderChild": ["Shared", "Media", "Titles", "Subtitles", "Rendering", "Sandbox", "CSandbox"],
        "CLI": ["Shared", "Farm", "Coordinator", "Worker", "Client", "Storage", "PostgreSQL", "Sandbox"],
    ]

    static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources")

    static func files(of module: String) throws -> [URL] {
        let folder = sources.appendingPathComponent(module)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
    }

    static func imports(in file: URL) throws -> Set<String> {
        let text = try String(contentsOf: file, encoding: .utf8)
        let names = text.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({
                    $0.hasPrefix("@") || ["public", "internal", "private", "package"].contains($0)
                })
            else { return nil }
            return String(words[at + 1])
        }
        return Set(names)
    }

    @Test func everyFolderIsKnown() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let modules = folders.filter { !$0.hasPrefix("C") || ["CLI", "Client", "Coordinator", "Curl"].contains($0) }
        #expect(Set(modules) == Set(Self.allowed.keys))
    }

    @Test(arguments: allowed.keys.sorted()) func importsGoDownOnly(module: String) throws {
        let ours = Set(Self.allowed.keys).union([
            "CLibAV", "CPango", "CLibAss", "CLibPQ", "CLibCurl", "CLibCrypto", "CLibSSL", "CSandbox", "CVectors",
        ])
        let permitted = try #require(Self.allowed[module])
        let files = try Self.files(of: module)
        #expect(!files.isEmpty)
        for file in files {
            let forbidden = try Self.imports(in: file).intersection(ours).subtracting(permitted)
            #expect(forbidden.isEmpty, "\(file.lastPathComponent) imports \(forbidden.sorted())")
        }
    }

    /// Only the module that owns a C library imports it.
    @Test(
        arguments: [
            "CLibAV": "Media", "CPango": "Titles", "CLibAss": "Subtitles", "CLibPQ": "PostgreSQL", "CLibCurl": "Curl",
            "CLibCrypto": "Digests", "CLibSSL": "TLS", "CVectors": "Pixels",
        ]
    )
    func oneOwnerForEachLibrary(library: String, owner: String) throws {
        for module in Self.allowed.keys where module != owner {
            for file in try Self.files(of: module) {
                #expect(try !Self.imports(in: file).contains(library), "\(file.lastPathComponent) imports \(library)")
            }
        }
    }

    /// Where samples and pixels are made nothing walks over floating-point numbers: the standard library takes such
    /// steps with libm's `fma`, an emulation where the processor's is masked, and a hundred times as slow.
    @Test(arguments: ["Shared", "Pixels", "Samples", "Rendering"]) func noStepsOfFloatingPointNumbers(
        module: String
    ) throws {
        for file in try Self.files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.firstMatch(of: /stride\(from: -?[0-9]+\.[0-9]/) == nil, "\(file.lastPathComponent)")
        }
    }
}
