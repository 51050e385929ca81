import CompositionModel
import Foundation
import WireProtocol

/// The ledger of a watched folder keeps in a file what became of the folder's files. Without it nothing is submitted
/// twice either: the same file gives the farm the same idempotency key. It saves reading the files again, and keeps the
/// jobs to follow and those that were withdrawn.
struct WatchLedger: Sendable {
    /// What became of one file.
    struct Entry: Sendable, Hashable, Codable {
        var file: FoundFile
        /// The jobs that it became; none for a file that was refused.
        var jobs: [JobID] = []
        /// Whether its report was written.
        var isDone = false
        /// The digest of its bytes; nil where it is not known, as in what earlier versions kept.
        var digest: ContentDigest?
        /// True when its jobs were cancelled because another version took its place, so that they are followed no
        /// longer.
        var isWithdrawn: Bool?

        /// Whether its jobs are followed.
        var isFollowed: Bool { !isDone && !jobs.isEmpty && isWithdrawn != true }
    }

    /// The ledger as it lies in its file.
    private struct Kept: Codable {
        var entries: [String: Entry] = [:]
        var withdrawn: [JobID] = []
    }

    /// The most jobs that are remembered as withdrawn, some 400 kB of the file.
    static let mostWithdrawn = 10_000

    private let path: String
    private var kept: Kept

    /// The entries of the files by their names.
    var entries: [String: Entry] { kept.entries }

    /// Reads what was kept. The first ledger of a folder takes what an earlier version kept of it. What cannot be read
    /// counts for nothing.
    init(at place: LedgerPlace) {
        path = place.path
        place.takeEarlier()
        kept = FileManager.default.contents(atPath: path).flatMap(Self.decoded) ?? Kept()
    }

    /// Decodes a ledger. Earlier versions kept the entries alone.
    private static func decoded(_ text: Data) -> Kept? {
        let decoder = JSONDecoder()
        if let kept = try? decoder.decode(Kept.self, from: text) { return kept }
        return (try? decoder.decode([String: Entry].self, from: text)).map { Kept(entries: $0) }
    }

    /// Whether a file was submitted or refused as it is.
    func knows(_ file: FoundFile) -> Bool {
        guard let entry = entries[file.name], entry.isWithdrawn != true else { return false }
        return entry.file == file
    }

    /// The files whose jobs are followed, by name.
    var followed: [Entry] {
        entries.values.filter(\.isFollowed).sorted { $0.file.name < $1.file.name }
    }

    /// Notes what became of a file, and keeps it.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    mutating func note(_ entry: Entry) throws(CommandFailure) {
        kept.entries[entry.file.name] = entry
        try save()
    }

    /// Notes that jobs are cancelled because another version of their file takes its place, and keeps it when the name
    /// of the file is forgotten. Of more than ``mostWithdrawn`` jobs the latest are kept.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    mutating func withdraw(_ jobs: [JobID]) throws(CommandFailure) {
        let added = jobs.filter { !isWithdrawn($0) }
        guard !added.isEmpty else { return }
        kept.withdrawn = Array((kept.withdrawn + added).suffix(Self.mostWithdrawn))
        try save()
    }

    /// Whether a job was cancelled because another version of its file took its place.
    func isWithdrawn(_ job: JobID) -> Bool { kept.withdrawn.contains(job) }

    /// Forgets the files that are gone and have no jobs to follow. Which jobs were withdrawn is kept.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    mutating func forget(allBut names: Set<String>) throws(CommandFailure) {
        let gone = entries.filter { !names.contains($0.key) && !$0.value.isFollowed }
        guard !gone.isEmpty else { return }
        for name in gone.keys { kept.entries[name] = nil }
        try save()
    }

    private func save() throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path.parentFolder, withIntermediateDirectories: true)
            try JSONEncoder().encode(kept).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandFailure(.noSpace, "\(path) cannot be written; is there room, and may this user write there?")
        }
    }
}
