import CompositionModel
import Timing

/// Resolves what files are made.
struct OutputResolver {
    let format: Format
    let frameCount: Int64
    /// The samples per channel of the whole timeline.
    let sampleCount: Int64
    let hasPicture: Bool
    let hasSound: Bool
    /// A segment that keeps its own pixel size: it cannot be shown at another scale.
    let unscaled: SourceMark?
    let snap: SnapRule
    let options: CompileOptions
    let log: FindingLog

    /// The edit's outputs; the one that `options` names instead; the standard one when there is none.
    func outputs(_ written: [EditOutput], document: SourceMark) -> [OutputSettings] {
        let span = requestedRange
        if let preset = options.replacingPreset {
            checkPin(options.match.map { Marked($0, SourceMark.nowhere) }, of: preset)
            return [settings(preset, file: nil, range: span, mark: .nowhere)].compactMap(\.self)
        }
        guard !written.isEmpty else {
            let preset = PresetCatalog.standard(picture: hasPicture)
            let reason = hasPicture ? "" : " of an edit without picture"
            log.note(document, .impliedOutput, "one output with preset \"\(preset)\", the default\(reason)")
            return [settings(preset, file: nil, range: span, mark: document)].compactMap(\.self)
        }
        return written.compactMap { output in
            let range = span ?? output.range.flatMap { resolved($0) }
            var settings = settings(
                output.preset.value,
                file: output.file?.value,
                range: range,
                mark: output.preset.mark
            )
            checkPin(output.match, of: output.preset.value)
            if let dither = output.dither {
                let audio = dithered(settings, dither)
                settings?.audio = audio
            }
            return settings
        }
    }

    /// Only the preset `match` follows an asset.
    private func checkPin(_ pin: Marked<String>?, of preset: String) {
        guard let pin, preset != PresetCatalog.matchName else { return }
        let message = "\"match\" names the source that the preset \"match\" follows, and this output has \"\(preset)\""
        log.error(pin.mark, .match, message, suggestion: "\"preset\": \"match\"")
    }

    /// The finding about a preset that does not exist.
    static func unknownPreset(_ name: String, at mark: SourceMark) -> Finding {
        let known = PresetCatalog.all.map(\.name)
        let unmade = unmadeCodecs[name.lowercased()]
        let nearest = unmade ?? Spelling.nearest(to: name, in: known)
        let reason = unmade.map { "; nearest is \($0)" } ?? ""
        let message = "there is no preset \"\(name)\"\(reason); there are \(known.joined(separator: ", "))"
        return mark.finding(rule: .unknownPreset, message, suggestion: nearest.map(JSONText.quoted))
    }

    /// Codecs that no preset makes, by lower-case names, with the preset that serves the same end: delivery, or keeping
    /// all there is. Their spelling would lead elsewhere.
    private static let unmadeCodecs: [String: String] = [
        "h265": "h264", "hevc": "h264", "x265": "h264", "h.265": "h264", "vp8": "h264", "vp9": "h264", "av1": "h264",
        "webm": "h264", "mpeg2": "h264", "mpeg4": "h264", "prores": "lossless", "dnxhd": "lossless",
        "dnxhr": "lossless", "ffv1": "lossless", "mkv": "lossless", "huffyuv": "lossless",
    ]

    /// What `--range` asks for; nil also after a finding.
    var requestedRange: OutputRange? { options.range.flatMap { range($0) } }

    private func settings(_ name: String, file: String?, range: OutputRange?, mark: SourceMark) -> OutputSettings? {
        guard let preset = PresetCatalog.preset(named: name) else {
            log.add(OutputResolver.unknownPreset(name, at: mark))
            return nil
        }
        var settings = preset.settings(for: format, file: file, range: range, picture: hasPicture, sound: hasSound)
        if options.copies, settings.video?.codec == .h264 { settings.video?.copies = true }
        check(settings, mark)
        return settings
    }

    /// The sound of `settings` with what is added to it.
    private func dithered(_ settings: OutputSettings?, _ dither: Marked<AudioEncoding.Dither>) -> AudioEncoding? {
        guard let settings, var audio = settings.audio else { return nil }
        guard audio.codec.bits != nil else {
            let message = "the sound of preset \"\(settings.preset)\" is not rounded to integers"
            log.error(dither.mark, .dither, message + "; take \"dither\" out, or write a preset such as \"wav-16\"")
            return audio
        }
        audio.dither = dither.value
        return audio
    }

    private func check(_ settings: OutputSettings, _ mark: SourceMark) {
        if let unscaled, settings.size != format.size, settings.video != nil {
            let sizes = "\(settings.size.width)x\(settings.size.height) instead of the edit's"
            let message = "\"fit\": \"none\" cannot be shown at another scale yet, and an output is \(sizes)"
            log.error(unscaled, .unsupported, "\(message) \(format.size.width)x\(format.size.height)")
        }
        if settings.video == nil, settings.audio == nil, hasPicture {
            log.error(mark, .noSound, "preset \"\(settings.preset)\" is sound alone, and the edit has none")
        }
        if let codec = settings.audio?.codec, !codec.channelCounts.contains(format.channels) {
            let names = codec.channelCounts.compactMap { ChannelLayout.editNames[$0] }.joined(separator: ", ")
            let own = ChannelLayout.editNames[format.channels] ?? ""
            let message = "\(codec.title) has no \(own) sound; write \"channels\" of \(names) in \"format\""
            log.error(mark, .channels, message, suggestion: "\"channels\": \"stereo\"")
        }
        if let codec = settings.audio?.codec, let rates = codec.sampleRates, codec.lacks(format.sampleRate) {
            let known = "write one of \(rates.map(String.init).joined(separator: ", ")) in \"format\""
            let message = "\(codec.title) has no sample rate of \(format.sampleRate) Hz; \(known)"
            log.error(mark, .sampleRate, message, suggestion: "\"sampleRate\": 48000")
        }
    }

    /// `--range`: the texts come from the command line and have no place in the document.
    private func range(_ texts: [String]) -> OutputRange? {
        guard texts.count == 2 else {
            log.error(.nowhere, .timeRange, "a range is two times: start and duration")
            return nil
        }
        do throws(TimeTextError) {
            let start = Marked(try TimeText.read(texts[0]), SourceMark.nowhere)
            let duration = Marked(try TimeText.read(texts[1]), SourceMark.nowhere)
            return resolved(EditRange(start: start, duration: duration, mark: .nowhere))
        } catch {
            log.error(.nowhere, FindingRule(error.rule), "range: \(error.message)", suggestion: error.suggestion)
            return nil
        }
    }

    /// A range of frames, or of samples for an edit without picture; nil after a finding.
    private func resolved(_ range: EditRange) -> OutputRange? {
        let grid = TrackGrid(kind: .video, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
        guard let start = grid.seconds(range.start), let length = grid.seconds(range.duration) else { return nil }
        do throws(TimeError) {
            return hasPicture
                ? try frames(from: start, length, of: range, grid: grid) : try samples(from: start, length, range.mark)
        } catch {
            log.error(range.mark, .timeOverflow, "the range is too large or too fine to compute with exactly")
            return nil
        }
    }

    private func frames(
        from start: RationalTime,
        _ length: RationalTime,
        of range: EditRange,
        grid: TrackGrid
    ) throws(TimeError) -> OutputRange? {
        let from = try grid.placed(start, snap: snap, mark: range.start.mark, within: 0...max(0, frameCount - 1))
        let left = try max(1, frameCount - max(0, grid.position(from)))
        let duration = try grid.placed(length, snap: snap, mark: range.duration.mark, within: 1...left)
        let (first, end) = (try grid.position(from), try grid.position(from.adding(duration)))
        guard first >= 0, end > first else {
            log.error(range.mark, .timeRange, "the range begins before 0 or is shorter than one frame")
            return nil
        }
        guard end <= frameCount else {
            let edit = "the edit at \(TimeWords.frame(frameCount, at: format.frameRate))"
            let message = "the range ends at \(TimeWords.frame(end, at: format.frameRate)), \(edit)"
            log.error(range.mark, .rangePastEnd, message)
            return nil
        }
        return OutputRange(frames: FrameRange(start: first, count: end - first))
    }

    /// The samples nearest to both ends, so that ranges side by side share none and lack none.
    private func samples(
        from start: RationalTime,
        _ length: RationalTime,
        _ mark: SourceMark
    ) throws(TimeError) -> OutputRange? {
        let grid = TrackGrid(kind: .audio, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
        let (first, end) = (try grid.position(start), try grid.position(start.adding(length)))
        guard first >= 0, end > first else {
            log.error(mark, .timeRange, "the range begins before 0 or is shorter than one sample")
            return nil
        }
        guard end <= sampleCount else {
            let edit = "the edit at \(try seconds(sampleCount))"
            log.error(mark, .rangePastEnd, "the range ends at \(try seconds(end)), \(edit)")
            return nil
        }
        let rate = format.frameRate
        let frame = try rate.frame(at: RationalTime(first, Int64(format.sampleRate)), rounding: .down).value
        let after = try rate.frame(at: RationalTime(end, Int64(format.sampleRate)), rounding: .up).value
        return OutputRange(
            frames: FrameRange(start: frame, count: min(after, frameCount) - frame),
            samples: SampleRange(start: first, count: end - first)
        )
    }

    private func seconds(_ samples: Int64) throws(TimeError) -> String {
        TimeWords.seconds(try RationalTime(samples, Int64(format.sampleRate)))
    }
}
