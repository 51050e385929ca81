import CLibAss
package import CompositionModel

/// Draws the cues of one file with libass: only with the fonts that are given, without hinting.
///
/// What it draws at a time depends on that time alone. One at a time may be asked.
package final class SubtitleRenderer {
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private let track: UnsafeMutablePointer<ASS_Track>
    private let order: CueOrder
    private let size: PictureSize

    /// What a picture depends on: of equal ones only one has to be drawn.
    package struct Moment: Hashable, Sendable {
        let shown: [Int]
        let steps: [Int64]
        /// Milliseconds of the file; nil when nothing that is shown changes.
        let time: Int64?
    }

    /// The family that cues without styles of their own are drawn with.
    package static let ownFamily = "cutfarm own"
    /// The family that helps out with characters.
    package static let fallbackFamily = "cutfarm fallback"

    /// - Parameters:
    ///   - style: the style of cues that are not ASS.
    ///   - height: the height of the own family's first face, as a part of its em square.
    ///   - frame: the size of the edit's frame.
    ///   - size: the size of the pictures that are drawn.
    /// - Throws: ``SubtitleError`` when libass does not start or reads no event.
    package init(
        _ script: SubtitleScript,
        style: SubtitleStyle?,
        height: Double,
        fonts: [SubtitleFont],
        frame: PictureSize,
        size: PictureSize
    ) throws(SubtitleError) {
        guard let library = ass_library_init() else { throw SubtitleError(message: "libass does not start.") }
        ass_set_message_cb(library, { _, _, _, _ in }, nil)
        for (number, font) in fonts.enumerated() {
            font.bytes.withUnsafeBytes { bytes in
                let start = bytes.bindMemory(to: CChar.self).baseAddress
                ass_add_font(library, "cutfarm-\(number)", start, Int32(bytes.count))
            }
        }
        let read: UnsafeMutablePointer<ASS_Track>? =
            switch script.content {
            case .ass(let text): SubtitleRenderer.track(text, library)
            case .cues(let cues):
                style.flatMap { style in
                    let header = CueHeader(style: style, frame: frame, family: Self.ownFamily, height: height)
                    return SubtitleRenderer.track(cues, header, library)
                }
            }
        guard let track = read, track.pointee.n_events > 0, let renderer = ass_renderer_init(library) else {
            if let read { ass_free_track(read) }
            ass_library_done(library)
            throw SubtitleError(message: "libass finds no cue in the file.")
        }
        (self.library, self.renderer, self.track, self.size) = (library, renderer, track, size)
        let events = (0..<Int(track.pointee.n_events)).map { CueOrder.Event(track.pointee.events[$0]) }
        order = CueOrder(events)
        ass_set_hinting(renderer, ASS_HINTING_NONE)
        ass_set_shaper(renderer, ASS_SHAPING_COMPLEX)
        ass_set_storage_size(renderer, Int32(frame.width), Int32(frame.height))
        ass_set_frame_size(renderer, Int32(size.width), Int32(size.height))
        ass_set_fonts(renderer, nil, Self.fallbackFamily, Int32(ASS_FONTPROVIDER_NONE.rawValue), nil, 0)
        prepare(FaceOrder(script.uses, fonts: fonts, isOwn: style != nil, weight: style?.weight ?? 400))
    }

    deinit {
        ass_renderer_done(renderer)
        ass_free_track(track)
        ass_library_done(library)
    }

    /// - Parameter time: milliseconds of the file.
    /// - Returns: nil when nothing is shown.
    package func moment(at time: Int64) -> Moment? {
        let shown = order.shown(at: time)
        guard !shown.isEmpty else { return nil }
        return Moment(shown: shown, steps: order.steps(to: time), time: order.isStill(shown) ? nil : time)
    }

    /// Draws what is shown at `time`, milliseconds of the file.
    /// - Parameter body: gets the layers from the bottom up; they are gone when it returns.
    /// - Throws: what `body` throws.
    package func draw<Result>(at time: Int64, _ body: ([SubtitleImage]) throws -> Result) rethrows -> Result {
        forgetPlaces()
        for step in order.steps(to: time) { _ = ass_render_frame(renderer, track, step, nil) }
        var images: [SubtitleImage] = []
        var next = ass_render_frame(renderer, track, time, nil)
        while let image = next {
            if image.pointee.w > 0, image.pointee.h > 0 { images.append(SubtitleImage(image.pointee)) }
            next = image.pointee.next
        }
        return try body(images)
    }

    /// Events are put where they would be if nothing had been drawn yet.
    private func forgetPlaces() {
        for index in 0..<Int(track.pointee.n_events) where track.pointee.events[index].render_priv != nil {
            free(UnsafeMutableRawPointer(track.pointee.events[index].render_priv))
            track.pointee.events[index].render_priv = nil
        }
    }

    /// Has libass open the faces in an order that does not depend on which frame is asked first: a character is drawn
    /// by the first open face that has it.
    private func prepare(_ faces: FaceOrder) {
        for event in faces.events {
            guard let warm = ass_new_track(library) else { continue }
            defer { ass_free_track(warm) }
            SubtitleRenderer.fill(warm, header: faces.header)
            SubtitleRenderer.add("0,0,Default,,0,0,0,,\(event)", from: 0, lasting: 1000, to: warm)
            _ = ass_render_frame(renderer, warm, 0, nil)
        }
    }

    private static func track(_ text: String, _ library: OpaquePointer) -> UnsafeMutablePointer<ASS_Track>? {
        var bytes = Array(text.utf8CString)
        return bytes.withUnsafeMutableBufferPointer { buffer in
            ass_read_memory(library, buffer.baseAddress, buffer.count - 1, nil)
        }
    }

    private static func track(
        _ cues: [SubtitleCue],
        _ header: CueHeader,
        _ library: OpaquePointer
    ) -> UnsafeMutablePointer<ASS_Track>? {
        guard let track = ass_new_track(library) else { return nil }
        fill(track, header: header.text)
        // Whole texts are laid out, as titles are: right-to-left and broken where Unicode allows it.
        ass_track_set_feature(track, ASS_FEATURE_WHOLE_TEXT_LAYOUT, 1)
        ass_track_set_feature(track, ASS_FEATURE_BIDI_BRACKETS, 1)
        ass_track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1)
        let lineHeight = CueHeader.whole(Int64((Double(header.style.size) * header.height).rounded()))
        for (number, cue) in cues.enumerated() where cue.end > cue.start {
            let place = cue.place?.block(frame: header.frame, lineHeight: lineHeight)
            let margins = "\(place?.left ?? 0),\(place?.right ?? 0),\(place?.vertical ?? 0)"
            let text = "\(number),0,Default,,\(margins),,\(place?.tag ?? "")\(header.weighed(cue.text))"
            add(text, from: cue.start, lasting: cue.end - cue.start, to: track)
        }
        return track
    }

    private static func fill(_ track: UnsafeMutablePointer<ASS_Track>, header: String) {
        var bytes = Array(header.utf8CString)
        bytes.withUnsafeMutableBufferPointer { buffer in
            ass_process_codec_private(track, buffer.baseAddress, Int32(buffer.count - 1))
        }
    }

    private static func add(
        _ text: String,
        from start: Int64,
        lasting duration: Int64,
        to track: UnsafeMutablePointer<ASS_Track>
    ) {
        var bytes = Array(text.utf8CString)
        bytes.withUnsafeMutableBufferPointer { buffer in
            ass_process_chunk(track, buffer.baseAddress, Int32(buffer.count - 1), start, duration)
        }
    }
}

extension CueOrder.Event {
    fileprivate init(_ event: ASS_Event) {
        let text = event.Text.map { String(cString: $0) } ?? ""
        let effect = event.Effect.map { String(cString: $0) } ?? ""
        let moving = ["\\t(", "\\t ", "\\mov", "\\fad", "\\k", "\\K"]
        self.init(
            start: event.Start,
            end: event.Start + event.Duration,
            isPlaced: ["\\pos", "\\mov"].contains { text.contains($0) },
            moves: !effect.isEmpty || moving.contains { text.contains($0) }
        )
    }
}

extension SubtitleImage {
    fileprivate init(_ image: ASS_Image) {
        let (width, height, stride) = (Int(image.w), Int(image.h), Int(image.stride))
        self.init(
            x: Int(image.dst_x),
            y: Int(image.dst_y),
            width: width,
            height: height,
            coverage: UnsafeBufferPointer(start: image.bitmap, count: height > 0 ? (height - 1) * stride + width : 0),
            stride: stride,
            red: UInt8(image.color >> 24),
            green: UInt8(image.color >> 16 & 255),
            blue: UInt8(image.color >> 8 & 255),
            alpha: UInt8(255 - image.color & 255)
        )
    }
}

/// The version of what draws subtitles.
package enum SubtitleLibrary {
    /// The version as `libass` → `0.17.1`, read as its release is written: hexadecimal digits of major, minor and
    /// patch.
    package static let versions: [String: String] = {
        let version = UInt32(bitPattern: ass_library_version())
        let (major, minor, patch) = (version >> 28, version >> 20 & 255, version >> 12 & 255)
        return ["libass": "\(major).\(String(minor, radix: 16)).\(String(patch, radix: 16))"]
    }()
}
