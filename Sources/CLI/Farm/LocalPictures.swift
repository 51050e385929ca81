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
    private let process: RenderProcess
    private let probe: LocalProbe
    /// The sound of a media file, and nothing else.
    private let isPlainSound: Bool

    /// - Parameters:
    ///   - input: an edit, a composition, or a media file, which is shown as it is.
    ///   - isHeard: only the sound of a media file is wanted.
    /// - Throws: ``CommandFailure``.
    init(
        _ input: String,
        assets: [String],
        parameters: [String],
        range: [String],
        local: LocalMediaOptions,
        isHeard: Bool = false
    ) async throws {
        probe = local.probe()
        process = RenderProcess(allowUnsandboxed: local.allowUnsandboxed)
        var options = OutputOptions()
        (options.preset, options.range) = ("lossless", range)
        let isMedia = try LocalPictures.isMedia(input, assets: assets, parameters: parameters)
        isPlainSound = isMedia && isHeard
        if isPlainSound, try await probe.asset(input, named: input).facts.audio.isEmpty {
            throw CommandFailure(.usage, "There is no sound in \(input), so it has no samples.")
        }
        file =
            try isMedia
            ? LocalPictures.file(showing: input, isHeard: isHeard)
            : EditFile.load(input, assets: assets, parameters: parameters)
        compiled = try await LocalCompilation(file, probe: probe, options: options)
        plan = try compiled.plan(output: 0, segmentCount: 1)
    }

    /// The picture task of the whole.
    /// - Throws: ``CommandFailure`` for an edit of sound alone.
    func picture() throws -> PictureTask {
        guard let segment = plan.segments.first else {
            throw CommandFailure(.usage, "There is no picture in it, so it has no frames.")
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

    /// - Parameter readable: as ``sources(_:)`` gave it.
    @discardableResult
    func run(
        _ request: RenderRequest,
        readable: [String],
        writable: [String],
        onStill: @escaping @Sendable (Int, Failure?) -> Void = { _, _ in }
    ) async throws -> RenderResult {
        try await process.run(request, readable: readable, writable: writable, onStill: onStill).result
    }

    /// JSON begins with a brace or a comment; no media file does.
    private static func isMedia(_ input: String, assets: [String], parameters: [String]) throws -> Bool {
        guard input != "-", let handle = FileHandle(forReadingAtPath: input) else { return false }
        let head = (try? handle.read(upToCount: 256)) ?? Data()
        let first = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
        if first.hasPrefix("{") || first.hasPrefix("/*") || first.hasPrefix("//") { return false }
        guard assets.isEmpty, parameters.isEmpty else {
            let option = assets.isEmpty ? "--param sets a parameter" : "--asset replaces an asset"
            throw CommandFailure(.usage, "\(option) of an edit, and \(input) is a media file.")
        }
        return true
    }

    private static func file(showing input: String, isHeard: Bool) throws -> EditFile {
        do {
            return try EditFile(showing: input, isHeard: isHeard)
        } catch {
            throw CommandFailure(.usage, "\(input) cannot be shown: \(error)")
        }
    }
}

extension LocalPictures {
    /// The sound task of the whole.
    /// - Throws: ``CommandFailure`` for an edit or a file without sound.
    func sound() throws -> SoundTask {
        guard var sound = plan.sound, sound.sampleCount > 0 else {
            throw CommandFailure(.usage, "There is no sound in \(file.path), so it has no samples.")
        }
        // A timeline is as long as its frames; a file ends with its last sample.
        if isPlainSound, let end = sound.tracks.first?.segments.map({ $0.start + $0.count }).max() {
            sound.sampleCount = max(1, min(sound.sampleCount, end - sound.firstSample))
        }
        return sound
    }
}
