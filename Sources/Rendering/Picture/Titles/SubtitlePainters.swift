import CompositionModel
import Planning
import Subtitles
import Timing
import Titles

/// Draws the subtitles of a task: each file is read, and its fonts are opened, once.
final class SubtitlePainters {
    private let size: PictureSize
    private let digests: [ContentDigest]
    private let sources: [RenderSource]
    private var painters: [TitleSubtitles: SubtitlePainter] = [:]

    /// - Parameter sources: in the order of `task.assets`.
    init(task: PictureTask, sources: [RenderSource]) {
        size = task.size
        digests = task.assets
        self.sources = sources
    }

    /// What is drawn `time` after the title's start; the same as for the frame before where nothing changed.
    /// - Parameters:
    ///   - frame: the size of the edit's frame.
    ///   - convert: makes the picture that is kept.
    /// - Returns: nil when there is nothing to see.
    func drawn(
        _ subtitles: TitleSubtitles,
        frame: PictureSize,
        at time: RationalTime,
        _ convert: (TextPicture) throws -> DrawnPicture
    ) throws -> DrawnPicture? {
        let painter = try painters[subtitles] ?? open(subtitles, frame: frame)
        painters[subtitles] = painter
        let milliseconds = try subtitles.start.adding(time).count(of: RationalTime(1, 1000), rounding: .down).value
        return try painter.drawn(at: milliseconds, convert)
    }

    private func open(_ subtitles: TitleSubtitles, frame: PictureSize) throws -> SubtitlePainter {
        let script = try SubtitleSource.script(try source(subtitles.asset).bytes)
        var fonts: [SubtitleFont] = []
        // Of the first face of the edit's own style: with it, those that help out are as large as it.
        var height: Double?
        for family in subtitles.families {
            let isOwn = family.name.isEmpty && subtitles.style != nil
            let name = isOwn ? SubtitleRenderer.ownFamily : family.name
            for (number, face) in family.faces.enumerated() {
                let copy = try add(face, as: name, height: isOwn ? height : nil, of: script, subtitles, to: &fonts)
                if isOwn, number == 0 { height = copy.height }
            }
        }
        for face in subtitles.fallback {
            let family = SubtitleRenderer.fallbackFamily
            _ = try add(face, as: family, height: height, of: script, subtitles, to: &fonts)
        }
        do {
            let renderer = try SubtitleRenderer(
                script,
                style: subtitles.style,
                height: height ?? 1,
                fonts: fonts,
                frame: frame,
                size: size
            )
            return SubtitlePainter(renderer, size: size)
        } catch {
            throw RenderError("subtitles_unreadable", error.message, isPermanent: true)
        }
    }

    private func add(
        _ face: SubtitleFace,
        as family: String,
        height: Double?,
        of script: SubtitleScript,
        _ subtitles: TitleSubtitles,
        to fonts: inout [SubtitleFont]
    ) throws -> FontCopy {
        let (file, facts) = try font(face, script)
        let number = fonts.count
        let copy = try FontCopy(of: file, face: face.index, family: family, number: number, height: height)
        fonts.append(SubtitleFont(bytes: copy.bytes) { facts.covers($0) })
        return copy
    }

    private func font(_ face: SubtitleFace, _ script: SubtitleScript) throws -> (FontFile, FontFaceFacts) {
        let source = try source(face.asset)
        let faces: [FontFaceFacts]?
        let file: FontFile
        if let number = face.font {
            guard script.fonts.indices.contains(number) else { throw SubtitlePainters.invalid(face) }
            let bytes = script.fonts[number]
            file = try FontFile(bytes, digest: ContentDigest(of: bytes))
            faces = source.facts.subtitles?.fonts.first { $0.number == number }?.faces
        } else {
            file = try FontSource.file(source.bytes, digest: digests[face.asset])
            faces = source.facts.fonts
        }
        guard let facts = faces?.first(where: { $0.index == face.index }) else { throw SubtitlePainters.invalid(face) }
        return (file, facts)
    }

    private func source(_ asset: Int) throws(RenderError) -> RenderSource {
        guard sources.indices.contains(asset) else {
            throw RenderError("invalid_task", "There is no asset \(asset) for subtitles.", isPermanent: true)
        }
        return sources[asset]
    }

    private static func invalid(_ face: SubtitleFace) -> RenderError {
        RenderError("invalid_task", "Asset \(face.asset) has no face \(face.index) for subtitles.", isPermanent: true)
    }
}
