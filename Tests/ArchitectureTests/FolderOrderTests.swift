import Testing

/// Inside a module, a folder uses only what folders before it declare: docs/architecture.md gives their order.
///
/// A use is a word of the code that is the name of a type or function which exactly one folder of the module declares at
/// its top level. Members of extensions are not followed.
@Suite struct FolderOrderTests {
    private struct Use: Hashable {
        let name: String
        let from: String
        let to: String
    }

    private static func uses(in files: [SourceFile]) -> Set<Use> {
        var homes: [String: Set<String>] = [:]
        for file in files { for name in file.declared { homes[name, default: []].insert(file.folder) } }
        var uses: Set<Use> = []
        for file in files {
            for name in file.words {
                guard let home = homes[name], home.count == 1, let to = home.first, to != file.folder else { continue }
                uses.insert(Use(name: name, from: file.folder, to: to))
            }
        }
        return uses
    }

    @Test(arguments: ModuleOrderTests.names) func aFolderUsesThoseBeforeIt(module: String) throws {
        let files = try SourceTree.files(of: module)
        let found = Set(files.map(\.folder)).subtracting([""])
        let listed = try ModuleOrderTests.document.get().folders[module] ?? []
        #expect(Set(listed) == found && Set(listed).count == listed.count, "the folders of \(module)")
        let uses = Self.uses(in: files)
        for use in uses where use.from != "" && use.to != "" {
            let (from, to) = (listed.firstIndex(of: use.from), listed.firstIndex(of: use.to))
            guard let from, let to else { continue }
            #expect(to < from, "\(module)/\(use.from) uses \(use.name) of \(use.to), which stands behind it")
        }
    }

    /// The files beside the folders are the module's face, which uses them, or its ground, which they use: never both.
    @Test(arguments: ModuleOrderTests.names) func theTopOfAModuleIsItsFaceOrItsGround(module: String) throws {
        let uses = Self.uses(in: try SourceTree.files(of: module))
        let up = uses.filter { $0.from == "" }
        let down = uses.filter { $0.to == "" }
        let both = Set(up.map(\.to)).intersection(down.map(\.from))
        #expect(both.isEmpty, "\(module): \(both.sorted()) both use and are used by the files at the top")
    }

    /// The test above sees a name that is used against the order.
    @Test func aUseAgainstTheOrderIsSeen() {
        let files = [
            SourceFile(path: "First/A.swift", text: "struct A { let b: B }"),
            SourceFile(path: "Second/B.swift", text: "/// Not A.\npublic struct B { let words = \"A\" }"),
        ]
        #expect(Self.uses(in: files) == [Use(name: "B", from: "First", to: "Second")])
    }
}
