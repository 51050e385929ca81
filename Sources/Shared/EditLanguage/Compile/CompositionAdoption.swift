import CompositionModel
import Timing

/// Takes a document that is canonical already: checks it as any composition, and against its assets.
struct CompositionAdoption {
    let assets: [String: CompilerAsset]
    /// Names of assets of which nothing can be known; that is said elsewhere.
    let unusable: Set<String>
    let options: CompileOptions
    let log: FindingLog

    /// - Returns: nil after a finding.
    func adopt(_ given: Composition) -> Composition? {
        var composition = given
        log.add(composition.checked())
        guard !log.hasErrors else { return nil }
        checkSources(of: composition)
        do throws(TimeError) {
            composition.outputs = try outputs(of: composition)
        } catch {
            report(.timeOverflow, "/frameCount", "the timeline is too long to compute with exactly")
        }
        return composition
    }

    private func checkSources(of composition: Composition) {
        let known = Dictionary(assets.values.map { ($0.digest, $0.facts) }) { first, _ in first }
        let facts = composition.assets.map { known[$0.digest] }
        for (index, asset) in composition.assets.enumerated() where facts[index] == nil {
            if unusable.contains(asset.name) { continue }
            report(.assetMissing, "/assets/\(index)", CompilerAsset.unknown(asset.name))
        }
        for index in (composition.nested ?? []).indices {
            check(composition.nestedComposition(index), facts, under: "/nested/\(index)")
        }
        check(composition, facts, under: "")
    }

    /// - Parameter facts: of its assets.
    private func check(_ composition: Composition, _ facts: [AssetFacts?], under place: String) {
        let nested = (composition.nested ?? []).indices.map { try? composition.nestedComposition($0).nestedFacts() }
        checkMaps(of: composition, facts, under: place)
        checkEffects(of: composition, facts, under: place)
        for (number, track) in composition.videoTracks.enumerated() {
            for (index, segment) in track.segments.enumerated() {
                guard let facts = (segment.isNested == true ? nested : facts)[segment.asset] else { continue }
                check(segment, facts, composition, at: place + "/videoTracks/\(number)/segments/\(index)")
            }
        }
        checkTitles(of: composition, facts, under: place)
        checkSubtitles(of: composition, facts, under: place)
        for (number, track) in composition.audioTracks.enumerated() {
            for (index, segment) in track.segments.enumerated() {
                guard let facts = (segment.isNested == true ? nested : facts)[segment.asset] else { continue }
                guard !facts.audio.contains(where: { $0.streamIndex == segment.stream }) else { continue }
                let pointer = place + "/audioTracks/\(number)/segments/\(index)/stream"
                report(.noSound, pointer, "stream \(segment.stream) is no sound: \(facts.words)")
            }
        }
    }

    /// Maps are pictures.
    private func checkMaps(of composition: Composition, _ facts: [AssetFacts?], under place: String) {
        for (index, instruction) in composition.instructions.enumerated() {
            for (number, layer) in instruction.layers.enumerated() {
                guard let map = layer.transition?.look?.map, let facts = facts[map.asset] else { continue }
                guard !facts.video.contains(where: { $0.streamIndex == map.stream }) else { continue }
                let pointer = place + "/instructions/\(index)/layers/\(number)/transition/look/map/stream"
                report(.noPicture, pointer, "stream \(map.stream) is no picture: \(facts.words)")
            }
        }
    }

    /// Colour tables are LUTs, masks are pictures.
    private func checkEffects(of composition: Composition, _ facts: [AssetFacts?], under place: String) {
        for (number, track) in composition.videoTracks.enumerated() {
            let pointer = place + "/videoTracks/\(number)"
            check(track.appearance, facts, at: pointer + "/appearance")
            for (index, segment) in track.segments.enumerated() {
                check(segment.appearance, facts, at: "\(pointer)/segments/\(index)/appearance")
            }
        }
        for (number, track) in (composition.titleTracks ?? []).enumerated() {
            for (index, segment) in track.segments.enumerated() {
                for appearance in segment.layers.flatMap(\.appearances) {
                    check(appearance, facts, at: place + "/titleTracks/\(number)/segments/\(index)")
                }
            }
        }
    }

    private func check(_ appearance: LayerAppearance?, _ facts: [AssetFacts?], at pointer: String) {
        for source in appearance?.effectSources ?? [] {
            guard let facts = facts[source.asset] else { continue }
            let isThere =
                source.stream.map { stream in facts.video.contains { $0.streamIndex == stream } } ?? (facts.lut != nil)
            guard !isThere else { continue }
            let (rule, what): (FindingRule, String) =
                source.stream == nil ? (.noLUT, "LUT") : (.noPicture, "picture")
            report(rule, pointer, "asset \(source.asset) is no \(what) for an effect: \(facts.words)")
        }
    }

    /// What draws text is a face of a font, and what is shown is a picture.
    private func checkTitles(of composition: Composition, _ facts: [AssetFacts?], under place: String) {
        for (number, track) in (composition.titleTracks ?? []).enumerated() {
            for (index, segment) in track.segments.enumerated() {
                let pointer = place + "/titleTracks/\(number)/segments/\(index)"
                for face in segment.layers.flatMap(\.texts).flatMap(\.faces) {
                    guard let fonts = facts[face.asset].map({ $0.fonts ?? [] }) else { continue }
                    guard !fonts.contains(where: { $0.index == face.index }) else { continue }
                    report(.noFont, pointer, "asset \(face.asset) has no face \(face.index) that text is drawn with")
                }
                for image in segment.layers.flatMap(\.images) {
                    guard let facts = facts[image.asset] else { continue }
                    guard !facts.video.contains(where: { $0.streamIndex == image.stream }) else { continue }
                    let stream = "stream \(image.stream) of asset \(image.asset) is no picture"
                    report(.noPicture, pointer, "\(stream): \(facts.words)")
                }
            }
        }
    }

    private func checkSubtitles(of composition: Composition, _ facts: [AssetFacts?], under place: String) {
        for (number, track) in (composition.titleTracks ?? []).enumerated() {
            for (index, segment) in track.segments.enumerated() {
                let pointer = place + "/titleTracks/\(number)/segments/\(index)"
                for subtitles in segment.layers.flatMap(\.allSubtitles) {
                    guard let file = facts[subtitles.asset] else { continue }
                    guard let own = file.subtitles else {
                        let has = file.words
                        report(.noSubtitles, pointer, "asset \(subtitles.asset) has no subtitles: \(has)")
                        continue
                    }
                    for face in subtitles.faces {
                        let known = face.font.map { font in own.fonts.first { $0.number == font }?.faces ?? [] }
                        guard let fonts = known ?? facts[face.asset].map({ $0.fonts ?? [] }),
                            !fonts.contains(where: { $0.index == face.index })
                        else { continue }
                        report(.noFont, pointer, "asset \(face.asset) has no face \(face.index) to draw text with")
                    }
                }
            }
        }
    }

    private func check(
        _ segment: VideoTrackSegment,
        _ facts: AssetFacts,
        _ composition: Composition,
        at pointer: String
    ) {
        guard let stream = facts.video.first(where: { $0.streamIndex == segment.stream }) else {
            let has = facts.words
            return report(.noPicture, pointer + "/stream", "stream \(segment.stream) is no picture: \(has)")
        }
        let last = try? segment.sourceStart.advanced(
            by: segment.target.count - 1,
            of: composition.format.frameRate.frameDuration,
            speed: segment.speed,
            curve: segment.curve
        )
        let frameDuration = composition.format.frameRate.frameDuration
        let ends = try? segment.curve?.ends(from: segment.sourceStart, frameDuration: frameDuration)
        guard let last, max(last, ends?.last ?? segment.sourceStart) < stream.duration else {
            let end = TimeWords.seconds(stream.duration)
            return report(.pastEnd, pointer + "/target", "the last frame is past the source's end at \(end)")
        }
        if min(last, ends?.first ?? last).isNegative {
            report(.pastEnd, pointer + "/target", "the last frame is before the source's start")
        }
    }

    private func report(_ rule: FindingRule, _ pointer: String, _ message: String) {
        log.error(SourceMark(pointer: pointer, line: 0, column: 0), rule, message)
    }

    /// - Throws: ``TimeError/overflow`` when the timeline has more samples than can be counted.
    private func outputs(of composition: Composition) throws(TimeError) -> [OutputSettings] {
        let isUnscaled = composition.videoTracks.flatMap(\.segments).contains { $0.fit == .none }
        let hasPicture = !composition.instructions.isEmpty
        var own = options
        own.preset = options.replacingPreset
        if own.preset == nil, composition.outputs.isEmpty { own.preset = PresetCatalog.standard(picture: hasPicture) }
        let resolver = OutputResolver(
            format: composition.format,
            frameCount: composition.frameCount,
            sampleCount: try composition.sampleCount(),
            hasPicture: hasPicture,
            hasSound: !composition.audioTracks.isEmpty,
            unscaled: isUnscaled ? SourceMark(pointer: "/videoTracks", line: 0, column: 0) : nil,
            snap: .never,
            options: own,
            log: log
        )
        if own.preset != nil { return resolver.outputs([], document: .nowhere) }
        let range = resolver.requestedRange
        return composition.outputs.map { output in
            var output = output
            if options.copies, output.video?.codec == .h264 { output.video?.copies = true }
            guard let range else { return output }
            (output.range, output.soundRange) = (range.frames, range.samples)
            return output
        }
    }
}
