import Client
import Foundation
import Sandbox
import Shared
import Storage

/// An edit, or a media file, whose frames and samples are made on this machine without a farm.
struct LocalPictures: Sendable {
    /// As the user gave it.
    let file: EditFile
    let compiled: LocalCompilation
    /// Of the whole timeline, or of what `--range` asks for, in one piece.
    let plan: RenderPlan
    /// When it is no edit.
    let footage: PlainFile?
    /// What `--range` asks for, as the edit's timeline has it; empty is all.
    let range: [String]
    /// Of the file, what `--range` asks for.
    private let span: TimeRange?
    private let process: RenderProcess
    private let probe: LocalProbe
    /// A media file whose samples count by themselves, without the frames of a timeline.
    private let isPlainSound: Bool

    /// What is made of a media file.
    enum Wanted: Sendable {
        case frames
        /// Samples beside its picture, from the first frame to the last; of a file without picture as ``sound``.
        case samples
        /// Its sound alone.
        case sound
    }

    /// - Parameters:
    ///   - media: a media file is shown as it is.
    ///   - range: of the timeline or the file, as start and duration; empty is all.
    ///   - track: of a media file's sound; nil is the usual one.
    ///   - wanted: of a media file.
    /// - Throws: ``CommandFailure``.
    init(
        _ media: MediaInput,
        range: [String] = [],
        track: String? = nil,
        wanted: Wanted = .frames
    ) async throws {
        let (input, assets, parameters) = (media.input, media.asset, media.param)
        probe = media.local.probe()
        process = RenderProcess(allowUnsandboxed: media.local.allowUnsandboxed)
        var options = OutputOptions()
        (options.preset, options.range) = ("lossless", range)
        if try LocalPictures.isMedia(input, assets: assets, parameters: parameters) {
            let footage = try await PlainFile(input, probe: probe, track: track)
            // Read once: frames of the file and of the timeline that stands for it may count at two rates.
            span = try footage.span(range)
            isPlainSound = wanted == .sound || footage.stream == nil
            options.range = try isPlainSound ? [] : span.map(footage.texts) ?? []
            file = try footage.edit(for: wanted)
            self.footage = footage
        } else {
            guard track == nil else {
                let way = "in an edit, \"track\" of a segment says it"
                throw CommandFailure(.usage, "--track chooses the sound of a media file, and \(input) is none; \(way).")
            }
            file = try LocalPictures.edit(input, assets: assets, parameters: parameters)
            (footage, span, isPlainSound) = (nil, nil, false)
        }
        self.range = options.range
        do {
            compiled = try await LocalCompilation(file, probe: probe, options: options)
        } catch let failure as CommandFailure where footage != nil && !failure.findings.isEmpty {
            let errors = failure.findings.filter { $0.severity == .error }
            throw CommandFailure(failure.status, lines: errors.map { "\(input): \($0.message)." })
        }
        plan = try compiled.plan(output: 0, segmentCount: 1)
    }

    /// The picture task of the whole, or of what `--range` asks for.
    /// - Throws: ``CommandFailure`` for an edit of sound alone.
    func picture() throws -> PictureTask {
        let task = try planned()
        return try footage?.task(task, range: span) ?? task
    }

    /// A picture task that has at least `frames`: of the timeline, or of the file.
    /// - Throws: as ``picture()``.
    func picture(showing frames: [Int64]) throws -> PictureTask {
        let task = try planned()
        return try footage?.task(task, showing: frames) ?? task
    }

    /// Which frame is shown when.
    /// - Throws: as ``picture()``.
    func times() throws -> StillTimes {
        let task = try planned()
        guard let stream = footage?.stream else { return StillTimes(rate: task.frameRate, frameCount: plan.frameCount) }
        return StillTimes(rate: stream.editRate, frameCount: stream.frameCount, stream: stream)
    }

    /// The edit that a farm makes `frames` of, and their numbers there.
    func edit(showing frames: [Int64]) throws -> (file: EditFile, frames: [Int64]) {
        try footage?.edit(showing: frames) ?? (file, frames)
    }

    /// What was implied, and what else should be known before the result is used.
    func notes(isRead: Bool, isOnFarm: Bool = false) -> [String] {
        guard let footage else { return FindingsPrinter.lines(compiled.findings, file: file.path) }
        return footage.notes(isRead: isRead, isOnFarm: isOnFarm, size: compiled.composition.format.size)
    }

    /// What should be known before the sound is used: of a media file all, of an edit what its files lack.
    var soundNotes: [String] {
        footage?.soundNotes(sampleRate: compiled.composition.format.sampleRate)
            ?? FindingsPrinter.lines(compiled.findings.filter { $0.breaks(.damagedSound) }, file: file.path)
    }

    private func planned() throws -> PictureTask {
        guard let segment = plan.segments.first else {
            throw CommandFailure(.usage, "\(file.path) has no picture, so it has no frames.")
        }
        return segment.task
    }

    /// Files of `digests` for a render process, with what it may read.
    /// - Parameter scratch: a folder for those that are made for it.
    func sources(_ digests: [ContentDigest], scratch: String) async throws -> (files: [SourceFile], readable: [String])
    {
        var files: [SourceFile] = []
        for digest in digests { files.append(try await source(digest, scratch: scratch)) }
        return (files, files.flatMap { [$0.path] + $0.frameIndexes.values })
    }

    private func source(_ digest: ContentDigest, scratch: String) async throws -> SourceFile {
        let asset: LocalProbe.Asset
        switch compiled.places[digest] {
        case .path(let path): asset = try await probe.open(path)
        case .sequence(let pattern, let rate): asset = try await probe.open(sequence: pattern, at: rate)
        case .raw(let path, let format): asset = try await probe.open(raw: path, as: format)
        case .speech(let text): asset = try await probe.open(speech: text)
        case .generated(let picture): return try generated(digest, picture.bytes, picture.facts, in: scratch)
        case .generatedSound(let sound): return try generated(digest, sound.bytes, sound.facts, in: scratch)
        case .digest, .url, .edit, nil:
            throw CommandFailure(.usage, "The asset \(digest) has no file here; name one with --asset NAME=PATH.")
        }
        var about = stat()
        guard stat(asset.path, &about) == 0, asset.facts.digest == digest else {
            throw CommandFailure(.usage, "\(asset.path) changed while it was read; run the command again.")
        }
        return SourceFile(
            path: asset.path,
            byteCount: Int64(about.st_size),
            isComplete: true,
            frameIndexes: asset.frameIndexes,
            facts: asset.facts.facts
        )
    }

    private func generated(
        _ digest: ContentDigest,
        _ bytes: Data,
        _ facts: AssetFacts,
        in scratch: String
    ) throws -> SourceFile {
        let path = scratch + "/generated-\(digest.hex)"
        try bytes.write(to: URL(fileURLWithPath: path))
        return SourceFile(path: path, byteCount: Int64(bytes.count), isComplete: true, facts: facts)
    }

    /// - Parameters:
    ///   - readable: as ``sources(_:)`` gave it.
    ///   - say: takes the warnings, a line each.
    @discardableResult
    func run(
        _ request: RenderRequest,
        readable: [String],
        writable: [String],
        onProgress: @escaping @Sendable (_ permille: Int) -> Void = { _ in },
        onStill: @escaping @Sendable (Int, Failure?) -> Void = { _, _ in },
        say: (String) -> Void = Console.error
    ) async throws -> RenderResult {
        let outcome: RenderProcess.Outcome
        do {
            outcome = try await process.run(
                request,
                readable: readable,
                writable: writable,
                onProgress: onProgress,
                onStill: onStill
            )
        } catch let error as RenderFailed {
            throw RenderFailed(named(error.failure))
        }
        for line in TaskTable.lines(of: (outcome.statistics.warnings ?? []).map(named)) { say(line) }
        return outcome.result
    }

    /// The same, said of the file or of the asset that is at fault.
    private func named(_ failure: Failure) -> Failure {
        guard let footage else { return AssetNames(compiled.composition.assets).naming(failure) }
        guard failure.asset != nil else { return failure }
        var named = failure
        named.message = "\(footage.path): \(failure.message)"
        return named
    }

    /// - Throws: ``CommandFailure``, for media that comes through a pipe with a sentence of its own.
    private static func edit(_ input: String, assets: [String], parameters: [String]) throws -> EditFile {
        do {
            return try EditFile.load(input, assets: assets, parameters: parameters)
        } catch let failure as CommandFailure where input == "-" || isPipe(input) {
            let rules = [FindingRule.foreignFormat, .encoding, .json]
            guard let first = failure.findings.first, first.line == 1, first.column == 1, rules.contains(where: first.breaks)
            else { throw failure }
            let name = input == "-" ? "Standard input" : input
            let way = "media is read from a file, in any order: write it to one and name that"
            throw CommandFailure(.usage, "\(name) is no edit, and \(way).")
        }
    }

    private static func isPipe(_ input: String) -> Bool {
        var about = stat()
        return stat(input, &about) == 0 && about.st_mode & S_IFMT == S_IFIFO
    }

    /// JSON begins with a brace or a comment; no media file does. What comes through a pipe is read once.
    private static func isMedia(_ input: String, assets: [String], parameters: [String]) throws -> Bool {
        guard input != "-", !isPipe(input), let handle = FileHandle(forReadingAtPath: input) else { return false }
        let head = (try? handle.read(upToCount: 256)) ?? Data()
        let first = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
        if first.hasPrefix("{") || first.hasPrefix("/*") || first.hasPrefix("//") { return false }
        guard assets.isEmpty, parameters.isEmpty else {
            let option = assets.isEmpty ? "--param sets a parameter" : "--asset replaces an asset"
            throw CommandFailure(.usage, "\(option) of an edit, and \(input) is a media file.")
        }
        return true
    }
}

extension LocalPictures {
    /// The tasks that measure its sound in at most `count` pieces.
    /// - Throws: ``CommandFailure``.
    func measures(_ order: MeasureOrder, count: Int) throws -> [MeasureTask] {
        do throws(PlanError) {
            return try Planner.measures(
                compiled.composition,
                output: 0,
                facts: compiled.facts,
                order: order,
                segmentCount: count
            ).map(\.task)
        } catch {
            throw CommandFailure(error.failure)
        }
    }

    /// The sound task of the whole, or of what `--range` asks for.
    /// - Throws: ``CommandFailure`` for an edit or a file without sound.
    func sound() throws -> SoundTask {
        guard let sound = plan.sound, sound.sampleCount > 0 else {
            throw CommandFailure(.usage, "There is no sound in \(file.path), so it has no samples.")
        }
        guard let footage else { return sound }
        return try isPlainSound ? footage.task(sound, alone: span) : footage.task(sound)
    }
}
