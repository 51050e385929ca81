/// The contents of a subtitle file.
package struct SubtitleScript: Sendable, Hashable {
    /// The cues, or the text of an ASS file, which libass draws.
    package enum Content: Sendable, Hashable {
        case cues([SubtitleCue])
        /// The text of the file, in UTF-8, with lines that end in LF.
        case ass(String)
    }

    package let format: SubtitleFormat
    package let content: Content
    /// The largest end of a cue, in milliseconds.
    package let end: Int64
    package let cueCount: Int
    /// The fonts that the file asks for, with the characters drawn with each.
    package let uses: [SubtitleFontUse]
    /// The bytes of the fonts that the file carries, in the order of the file.
    package let fonts: [[UInt8]]

    private static let mostCues = 200_000

    /// Whether a file that begins with `head` looks like subtitles: first as text, then by its lines.
    package static func looksLikeSubtitles(_ head: some Sequence<UInt8>) -> Bool {
        let head = Array(head)
        return SubtitleText.looksLikeText(head) && SubtitleFormat(SubtitleText.glimpse(head)) != nil
    }

    /// Reads a SubRip, WebVTT or ASS file.
    /// - Throws: ``SubtitleProblem``, with the line where it is known, when the file is of no known format, is too
    ///   large, or has no cue or a cue that is wrong.
    package init(_ bytes: [UInt8]) throws(SubtitleProblem) {
        let lines = try SubtitleText.lines(bytes)
        guard let format = SubtitleFormat(lines) else {
            throw SubtitleProblem(nil, "the file is neither SubRip nor WebVTT nor ASS")
        }
        switch format {
        case .subrip: try self.init(format, cues: SubRipReader.cues(lines))
        case .webvtt: try self.init(format, cues: WebVTTReader.cues(lines))
        case .ass: try self.init(ass: lines)
        }
    }

    private init(_ format: SubtitleFormat, cues: [SubtitleCue]) throws(SubtitleProblem) {
        try SubtitleScript.check(count: cues.count)
        self.format = format
        content = .cues(cues)
        end = cues.map(\.end).max() ?? 0
        cueCount = cues.count
        var walk = SubtitleFontWalk(styles: ["": AssScript.Style(family: "")])
        for cue in cues { walk.read(cue.text, style: "") }
        uses = walk.uses
        fonts = []
    }

    private init(ass lines: [Substring]) throws(SubtitleProblem) {
        let script = try AssScript(lines)
        try SubtitleScript.check(count: script.events.count)
        format = .ass
        content = .ass(lines.joined(separator: "\n") + "\n")
        end = script.events.map(\.end).max() ?? 0
        cueCount = script.events.count
        var walk = SubtitleFontWalk(styles: script.styles)
        for event in script.events { walk.read(event.text, style: event.style) }
        uses = walk.uses
        fonts = script.fonts
    }

    private static func check(count: Int) throws(SubtitleProblem) {
        guard count > 0 else { throw SubtitleProblem(nil, "the file has no cue") }
        guard count <= mostCues else { throw SubtitleProblem(nil, "the file has over \(mostCues) cues") }
    }
}

/// The facts that compiling needs to know about a subtitle file.
package struct SubtitleFacts: Sendable, Hashable, Codable {
    /// A font that the file carries.
    package struct Font: Sendable, Hashable, Codable {
        /// Its position among the file's fonts, from 0.
        package var number: Int
        package var faces: [FontFaceFacts]

        package init(number: Int, faces: [FontFaceFacts]) {
            self.number = number
            self.faces = faces
        }
    }

    package var format: SubtitleFormat
    package var cueCount: Int
    /// The largest end of a cue, in milliseconds.
    package var end: Int64
    /// The fonts that the file asks for, with the characters drawn with each.
    package var uses: [SubtitleFontUse]
    /// The fonts that the file carries and that can be read.
    package var fonts: [Font]

    package init(_ script: SubtitleScript, fonts: [Font]) {
        format = script.format
        cueCount = script.cueCount
        end = script.end
        uses = script.uses
        self.fonts = fonts
    }
}
