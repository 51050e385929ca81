import Foundation
public import Sandbox
public import Shared

/// Facts and frame indexes of local files without a farm: probed in a sandboxed child, remembered by digest.
public struct LocalProbe: Sendable {
    private let process: RenderProcess
    private let ledger: AssetLedger
    private let folder: String

    /// What is known of a file.
    public struct Asset: Sendable {
        public let path: String
        public let facts: CompilerAsset
        /// Files of the frame index of each picture stream, by libavformat's stream index.
        public let frameIndexes: [Int: String]
    }

    /// Finds the fonts of this machine.
    public var fonts: FontFinder { FontFinder(process: process) }

    /// - Parameter stateFolder: facts go to `facts` below it.
    public init(process: RenderProcess, stateFolder: String) {
        self.process = process
        ledger = AssetLedger(stateFolder: stateFolder)
        folder = stateFolder + "/facts"
    }

    /// A sequence of numbered pictures, as the movie that it is sent as.
    /// - Throws: as ``probe(_:)``, and ``ImageSequence/Refusal``.
    public func probe(sequence pattern: String, at rate: FrameRate) async throws -> CompilerAsset {
        try await probe(ledger.movie(of: pattern, at: rate))
    }

    /// A file without a header, as the file that it is sent as.
    /// - Throws: as ``probe(_:)``, and a sentence where it is not what `format` says.
    public func probe(raw path: String, as format: RawFormat) async throws -> CompilerAsset {
        try await probe(made { try await ledger.movie(ofRaw: path, format) })
    }

    /// As ``open(_:)``, and as ``probe(raw:as:)``.
    public func open(raw path: String, as format: RawFormat) async throws -> Asset {
        try await open(made { try await ledger.movie(ofRaw: path, format) })
    }

    /// A spoken text, as the file that it is sent as.
    /// - Throws: as ``probe(raw:as:)``.
    public func probe(speech text: SpokenText) async throws -> CompilerAsset {
        try await probe(made { try await ledger.sound(of: text) })
    }

    /// As ``open(_:)``, and as ``probe(speech:)``.
    public func open(speech text: SpokenText) async throws -> Asset {
        try await open(made { try await ledger.sound(of: text) })
    }

    private func made(_ file: () async throws -> String) async throws -> String {
        do { return try await file() } catch let error as RawFile.Refusal {
            throw ImageSequence.Refusal(description: error.description)
        } catch let error as SpeechSynthesis.Refusal {
            throw ImageSequence.Refusal(description: error.description)
        }
    }

    /// - Throws: `RenderFailed` with the sentence that says what is wrong with the file; `FileDigest.Unreadable`.
    public func probe(_ path: String) async throws -> CompilerAsset {
        let digest = try await ledger.digest(of: path)
        if let facts = remembered(digest) { return CompilerAsset(digest: digest, facts: facts) }
        return CompilerAsset(digest: digest, facts: try await run(path, digest))
    }

    /// Facts, and what it takes to read the file's pictures.
    /// - Throws: as ``probe(_:)``; `RenderFailed` `index_missing` where nothing can be remembered.
    public func open(_ path: String) async throws -> Asset {
        let digest = try await ledger.digest(of: path)
        if let facts = remembered(digest), let indexes = indexes(of: facts, digest) {
            return Asset(path: path, facts: CompilerAsset(digest: digest, facts: facts), frameIndexes: indexes)
        }
        let facts = try await run(path, digest)
        guard let indexes = indexes(of: facts, digest) else { throw RenderFailed(.notKept(path, folder)) }
        return Asset(path: path, facts: CompilerAsset(digest: digest, facts: facts), frameIndexes: indexes)
    }

    /// A sequence of numbered pictures, as the movie that it is sent as.
    /// - Throws: as ``open(_:)``, and ``ImageSequence/Refusal``.
    public func open(sequence pattern: String, at rate: FrameRate) async throws -> Asset {
        try await open(ledger.movie(of: pattern, at: rate))
    }

    private func entry(_ digest: ContentDigest, _ suffix: String) -> String {
        folder + "/\(AssetFacts.currentVersion)-\(digest.hex)\(suffix)"
    }

    private func remembered(_ digest: ContentDigest) -> AssetFacts? {
        FileManager.default.contents(atPath: entry(digest, ".json"))
            .flatMap { try? JSONDecoder().decode(AssetFacts.self, from: $0) }
    }

    /// - Returns: nil unless all of them are there.
    private func indexes(of facts: AssetFacts, _ digest: ContentDigest) -> [Int: String]? {
        let paths = facts.video.map { ($0.streamIndex, entry(digest, "-index-\($0.streamIndex)")) }
        guard paths.allSatisfy({ FileManager.default.fileExists(atPath: $0.1) }) else { return nil }
        return Dictionary(paths, uniquingKeysWith: { first, _ in first })
    }

    private func run(_ path: String, _ digest: ContentDigest) async throws -> AssetFacts {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
            "cutfarm-probe-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        var about = stat()
        guard stat(path, &about) == 0 else { throw RenderFailed(.gone(path)) }
        let source = SourceFile(path: path, byteCount: Int64(about.st_size), isComplete: true)
        let outcome = try await process.run(
            .probe(ProbeRequest(source: source, outputFolder: scratch.path)),
            readable: [path],
            writable: [scratch.path]
        )
        guard case .probe(let facts, let indexes) = outcome.result else { throw RenderFailed(.gone(path)) }
        remember(facts, indexes, of: digest, from: scratch.path)
        return facts
    }

    /// Where nothing can be kept, the file is probed again the next time. The facts come last: where they are, the
    /// indexes are too.
    private func remember(_ facts: AssetFacts, _ indexes: [Int: String], of digest: ContentDigest, from scratch: String)
    {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (stream, path) in indexes {
            // The child is not believed: only a file of its own folder is taken.
            let name = (path as NSString).lastPathComponent
            guard let data = FileManager.default.contents(atPath: scratch + "/" + name) else { continue }
            try? data.write(to: URL(fileURLWithPath: entry(digest, "-index-\(stream)")), options: .atomic)
        }
        try? JSONEncoder().encode(facts).write(to: URL(fileURLWithPath: entry(digest, ".json")), options: .atomic)
    }
}

extension Failure {
    fileprivate static func gone(_ path: String) -> Failure {
        Failure(code: "asset_unreadable", message: "\(path) went away while it was read.", isPermanent: false)
    }

    fileprivate static func notKept(_ path: String, _ folder: String) -> Failure {
        let advice = "choose another state folder with --state"
        return Failure(
            code: "index_missing",
            message: "What was found out of \(path) cannot be kept in \(folder); \(advice).",
            isPermanent: false
        )
    }
}
