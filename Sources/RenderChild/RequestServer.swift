import CSandbox
import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import Titles
import WireProtocol

/// Does what the parent asks, by kind.
struct RequestServer {
    let parent: ParentLink

    /// Does what `request` asks and writes its files.
    /// - Throws: `VersionCheck.Mismatch` for a task that was planned for other versions; ``RenderError``,
    ///   ``MediaError`` or `TitleError` of what is rendered; `ParentLink.Unavailable` for a source that cannot be had.
    func serve(_ request: RenderRequest) throws -> RenderResult {
        switch request {
        case .versions:
            .versions(
                rendererVersion: Renderer.version,
                libraries: VersionCheck.libraries,
                user: cut_sandbox_status().user
            )
        case .probe(let request): try probe(request)
        case .picture(let request): try picture(request)
        case .sound(let request): try sound(request)
        case .stitch(let request): try stitch(request)
        case .fonts(let request): .fonts(FontSearch.answers(request))
        case .stills(let request): try stills(request)
        case .sheet(let request): try sheet(request)
        case .raw(let request): try raw(request)
        case .loudness(let request): .loudness(try loudness(request))
        case .waveform(let request): try waveform(request)
        case .measure(let request): try measure(request)
        case .join(let request): try join(request)
        case .export(let request): try export(request)
        case .preview(let request): try PreviewMaker.make(request)
        }
    }

    private func probe(_ request: ProbeRequest) throws -> RenderResult {
        let source = try CachedByteSource(request.source, position: 0, parent: parent)
        if let font = try FontSource.facts(of: source) { return .probe(facts: font, frameIndexes: [:]) }
        if let table = try ColorTableSource.facts(of: source) { return .probe(facts: table, frameIndexes: [:]) }
        if let subtitles = try SubtitleSource.facts(of: source) { return .probe(facts: subtitles, frameIndexes: [:]) }
        let (facts, indexes) = try AssetProbe.probe(source)
        var files: [Int: String] = [:]
        for index in indexes {
            let path = request.outputFolder + "/index-\(index.streamIndex)"
            try FrameIndexFile.encode(index).write(to: URL(fileURLWithPath: path))
            files[index.streamIndex] = path
        }
        return .probe(facts: facts, frameIndexes: files)
    }

    private func picture(_ request: PictureRequest) throws -> RenderResult {
        try VersionCheck.require(renderer: request.task.rendererVersion, libraries: request.task.libraries)
        let count = try SegmentRenderer.render(
            request.task,
            sources: try open(request.sources),
            to: request.output,
            progress: parent.progress,
            warn: parent.warn
        )
        return .artifact(unitCount: count)
    }

    private func sound(_ request: SoundRequest) throws -> RenderResult {
        try VersionCheck.require(renderer: request.task.rendererVersion, libraries: request.task.libraries)
        var task = request.task
        if task.extent.programme != nil {
            task = try MeasuredProgramme(of: task, readings: request.readings).adjusted(task, warn: parent.warn)
        }
        let count = try SoundRenderer.render(
            task,
            sources: try open(request.sources),
            to: request.output,
            scratchFolder: request.scratchFolder,
            progress: parent.progress,
            warn: parent.warn
        )
        return .artifact(unitCount: count)
    }

    private func stitch(_ request: StitchRequest) throws -> RenderResult {
        try VersionCheck.require(renderer: request.task.rendererVersion, libraries: request.task.libraries)
        let count = try Stitcher.stitch(
            request.task,
            parts: request.pictureParts,
            sounds: request.soundParts,
            to: request.output,
            progress: parent.progress
        )
        return .artifact(unitCount: count)
    }

    private func stills(_ request: StillsRequest) throws -> RenderResult {
        try VersionCheck.require(renderer: request.task.rendererVersion, libraries: request.task.libraries)
        let count = try StillRenderer.render(request, sources: try open(request.sources)) { position, error in
            parent.still(position, failure: error.map(RenderChildMain.failure))
        }
        return .artifact(unitCount: count)
    }

    private func sheet(_ request: SheetRequest) throws -> RenderResult {
        try VersionCheck.require(renderer: request.task.rendererVersion, libraries: request.task.libraries)
        let sources = try open(request.sources)
        return .artifact(unitCount: try SheetRenderer.render(request, sources: sources, progress: parent.progress))
    }

    private func raw(_ request: RawRequest) throws -> RenderResult {
        let sources = try open(request.sources)
        let count =
            switch request.content {
            case .picture(let task):
                try RawPictureWriter.write(task, sources: sources, to: request.output, progress: parent.progress)
            case .sound(let task, let scratchFolder):
                try WaveWriter.write(
                    task,
                    sources: sources,
                    to: request.output,
                    scratchFolder: scratchFolder,
                    progress: parent.progress,
                    warn: parent.warn
                )
            }
        return .artifact(unitCount: count)
    }

    private func loudness(_ request: LoudnessRequest) throws -> LoudnessSummary {
        try LoudnessPass.summary(
            request.task,
            sources: try open(request.sources),
            scratchFolder: request.scratchFolder,
            progress: parent.progress,
            warn: parent.warn
        )
    }

    private func waveform(_ request: WaveformRequest) throws -> RenderResult {
        let count = try WaveformWriter.write(
            request.task,
            as: request.order,
            sources: try open(request.sources),
            to: request.output,
            scratchFolder: request.scratchFolder,
            progress: parent.progress,
            warn: parent.warn
        )
        return .artifact(unitCount: count)
    }

    private func measure(_ request: MeasureRequest) throws -> RenderResult {
        try VersionCheck.require(renderer: request.task.rendererVersion, libraries: request.task.libraries)
        let count = try MeasureRenderer.measure(
            request.task,
            readings: request.readings,
            sources: try open(request.sources),
            to: request.output,
            scratchFolder: request.scratchFolder,
            progress: parent.progress,
            warn: parent.warn
        )
        return .artifact(unitCount: count)
    }

    private func join(_ request: JoinRequest) throws -> RenderResult {
        switch request.result {
        case .loudness: .loudness(try MeasureJoin.loudness(request))
        case .waveform(let order, let output):
            .artifact(unitCount: try MeasureJoin.waveform(request, as: order, to: output))
        }
    }

    private func export(_ request: ExportRequest) throws -> RenderResult {
        let sources = zip(try open(request.sources), request.names).map { source, name in
            ExportSource(bytes: source.bytes, facts: source.facts, indexes: source.indexes, name: name)
        }
        return .export(try Exporter.export(request, sources: sources, progress: parent.progress))
    }

    private func open(_ files: [SourceFile]) throws -> [RenderSource] {
        try files.enumerated().map { position, file in
            guard let facts = file.facts else {
                throw MediaError.invalidIndex("Source \(position) came without its facts; probe the asset again.")
            }
            let bytes = try CachedByteSource(file, position: position, parent: parent)
            let indexes = try file.frameIndexes.mapValues { path in
                try FrameIndexFile.decode(Data(contentsOf: URL(fileURLWithPath: path)))
            }
            return RenderSource(bytes: bytes, facts: facts, indexes: indexes)
        }
    }
}
