import CompositionModel
import EditLanguage
import Foundation
import Ingest
import Sandbox
import Storage
import Timing
import WireProtocol

/// The media files that are exported into one.
struct ExportInputs: Sendable {
    /// The paths as the user gave them.
    let paths: [String]
    /// The files as a render process takes them.
    let sources: [SourceFile]

    /// Probes the files.
    /// - Throws: ``CommandFailure`` for one that cannot be read, or that has neither picture nor sound;
    ///   `CancellationError`.
    init(_ paths: [String], probe: LocalProbe) async throws {
        self.paths = paths
        var sources: [SourceFile] = []
        for path in paths {
            guard path != "-" else {
                throw CommandFailure(.usage, "Media is read from a file, in any order: write it to one and name that.")
            }
            let facts = try await probe.facts(ofFile: path).facts
            guard !facts.video.isEmpty || !facts.audio.isEmpty else {
                throw CommandFailure(.usage, "\(path) has no picture and no sound, so there is nothing to export.")
            }
            guard let asset = try await probe.open(.path(StateFolder.absolute(path))) else {
                throw CommandFailure(.usage, "\(path) is no media file.")
            }
            sources.append(
                SourceFile(
                    path: asset.path,
                    byteCount: facts.byteCount,
                    isComplete: true,
                    frameIndexes: asset.frameIndexes,
                    facts: asset.facts.facts
                )
            )
        }
        self.sources = sources
    }

    /// Reads the two times of `--range`.
    /// - Parameter range: start and duration as the user wrote them; empty for all.
    /// - Throws: ``CommandFailure`` for text that is no time, and for times outside the joined files.
    func span(_ range: [String]) throws -> TimeRange? {
        guard range.count == 2 else { return nil }
        let rate = sources.first?.facts?.defaultVideo?.editRate ?? FrameRate.common[2]
        let times: [RationalTime]
        do {
            times = try range.map { try TimeText.read($0).seconds(at: rate) }
        } catch let error as TimeTextError {
            throw CommandFailure(.usage, "--range \(range.joined(separator: " ")): \(error.message).")
        }
        guard !times[0].isNegative else { throw refused(range, "begins before 0s, where \(what) does") }
        guard times[1] > .zero else { throw refused(range, "has no length") }
        let end = try end
        guard times[0] < end else {
            throw refused(range, "begins at or after \(TimeWords.seconds(end)), where \(what) ends")
        }
        guard try times[0].adding(times[1]) <= end else {
            throw refused(range, "goes on after \(TimeWords.seconds(end)), where \(what) ends")
        }
        return try TimeRange(start: times[0], duration: times[1])
    }

    private var what: String { paths.count == 1 ? paths[0] : "the last of the joined files" }

    /// The length of all files, one behind the other, in seconds.
    private var end: RationalTime {
        get throws {
            try sources.compactMap(\.facts).reduce(RationalTime.zero) { end, facts in
                if let picture = facts.defaultVideo { return try end.adding(picture.duration) }
                guard let sound = facts.defaultAudio else { return end }
                return try end.adding(RationalTime(sound.sampleCount, Int64(sound.sampleRate)))
            }
        }
    }

    private func refused(_ range: [String], _ why: String) -> CommandFailure {
        CommandFailure(.usage, "--range \(range.joined(separator: " ")) \(why).")
    }

    /// Keeps the output from replacing what it is made from, whatever `--force` says.
    func protect(from output: String) throws(CommandFailure) {
        guard let identity = FileStatus(of: output)?.identity else { return }
        for path in paths where FileStatus(of: path)?.identity == identity {
            throw CommandFailure(
                .usage,
                "\(output) is the file \(path) itself, which would be replaced; choose another -o."
            )
        }
    }

    /// Runs the request in a render process.
    /// - Parameter advice: how the same is had by encoding.
    /// - Throws: ``CommandFailure`` with the reason, and the advice; `RenderFailed`; `CancellationError`.
    func run(_ request: ExportRequest, by process: RenderProcess, advice: ExportAdvice) async throws -> ExportReport {
        let readable = sources.flatMap { [$0.path] + $0.frameIndexes.values }
        let folder = (request.output as NSString).deletingLastPathComponent
        do {
            let outcome = try await process.run(.export(request), readable: readable, writable: [folder])
            guard case .export(let report) = outcome.result else {
                throw CommandFailure(.internalError, "The render process answered something else than an export.")
            }
            return report
        } catch let error as RenderFailed where ["needs_encoding", "export_misfit"].contains(error.failure.code) {
            let failure = CommandFailure(error.failure)
            let lines = failure.lines.flatMap { $0.split(separator: "\n").map(String.init) }
            let line = try await advice.line()
            throw CommandFailure(failure.status, lines: lines + (line.map { [$0] } ?? []))
        }
    }
}
