package import Timing

/// A compiled edit that is an asset of another one, in its own size and at its own rates. Its pieces refer to
/// ``Composition/assets`` of the whole, and only to nested edits before it in ``Composition/nested``, so that none can
/// contain itself.
package struct NestedComposition: Sendable, Hashable, Codable {
    /// The asset's name in the edit, for messages.
    package var name: String
    package var format: Format
    /// The length, in frames of `format.frameRate`.
    package var frameCount: Int64
    /// The length in samples per channel as ``Composition/soundSampleCount`` has it; nil: the last frame's end.
    package var soundSampleCount: Int64?
    package var videoTracks: [VideoTrack]
    /// The tracks of titles; nil means none.
    package var titleTracks: [TitleTrack]?
    package var instructions: [VideoCompositionInstruction]
    package var audioTracks: [AudioTrack]
    /// The processing of the sum of all audio tracks; nil leaves it as it is.
    package var master: MasterMix?

    /// - Parameter name: The asset's name in the edit that uses `composition`.
    package init(_ composition: Composition, name: String) {
        self.name = name
        format = composition.format
        frameCount = composition.frameCount
        soundSampleCount = composition.soundSampleCount
        videoTracks = composition.videoTracks
        titleTracks = composition.titleTracks
        instructions = composition.instructions
        audioTracks = composition.audioTracks
        master = composition.master
    }
}

extension Composition {
    /// The nested edit `index` as a composition by itself, with the nested edits before it and without outputs.
    /// - Precondition: `index` is a position in ``nested``.
    package func nestedComposition(_ index: Int) -> Composition {
        let inner = (nested ?? [])[index]
        return Composition(
            format: inner.format,
            frameCount: inner.frameCount,
            soundSampleCount: inner.soundSampleCount,
            assets: assets,
            nested: index == 0 ? nil : Array((nested ?? []).prefix(index)),
            videoTracks: inner.videoTracks,
            titleTracks: inner.titleTracks,
            instructions: inner.instructions,
            audioTracks: inner.audioTracks,
            master: inner.master,
            outputs: []
        )
    }

    /// The facts of this edit as an asset of another: one stream of picture if it has instructions, and one of sound if
    /// it has audio tracks.
    /// - Throws: ``TimeError/overflow`` when the duration or the sample count does not fit.
    package func nestedFacts() throws(TimeError) -> AssetFacts {
        let duration = try format.frameRate.time(ofFrame: frameCount)
        let video = VideoStreamFacts(
            streamIndex: 0,
            codec: NestedComposition.codec,
            profile: nil,
            width: format.size.width,
            height: format.size.height,
            pixelFormat: "yuv420p",
            pixelAspect: RationalTime(whole: 1),
            orientation: .upright,
            color: format.color,
            timeBase: format.frameRate.frameDuration,
            frameRate: format.frameRate,
            isVariableRate: false,
            frameCount: frameCount,
            duration: duration,
            keyframes: [0],
            language: nil,
            isDefault: true
        )
        let audio = AudioStreamFacts(
            streamIndex: 0,
            codec: NestedComposition.codec,
            profile: nil,
            sampleRate: format.sampleRate,
            channels: format.channels,
            channelLayout: ChannelLayout.editNames[format.channels] ?? "",
            start: .zero,
            sampleCount: try sampleCount(),
            language: nil,
            isDefault: true
        )
        return AssetFacts(
            container: NestedComposition.codec,
            byteCount: 0,
            video: instructions.isEmpty ? [] : [video],
            audio: audioTracks.isEmpty ? [] : [audio]
        )
    }
}

extension NestedComposition {
    /// The positions of the nested edits that its own tracks use.
    var nestedEdits: [Int] {
        let shown = videoTracks.flatMap(\.segments).filter { $0.isNested == true }.map(\.asset)
        let heard = audioTracks.flatMap(\.segments).filter { $0.isNested == true }.map(\.asset)
        return shown + heard
    }

    /// The name that its streams have in place of a codec's name.
    package static let codec = VideoStreamFacts.nestedEditCodec
}

/// The assets and nested edits that a composition's pieces refer to by position, while it is compiled.
package struct CompositionParts {
    package var assets: [CompositionAsset] = []
    package var nested: [NestedComposition] = []

    package init() {}

    /// Adds `inner` with all its assets and nested edits; parts that are already here are reused.
    /// - Parameter name: The name of the asset; the names of its parts begin with it.
    /// - Returns: The position of `inner` in `nested`.
    package mutating func embed(_ inner: Composition, name: String) -> Int {
        let assetPlaces = inner.assets.map { asset in
            let known = assets.firstIndex { $0.digest == asset.digest && $0.name == "\(name)/\(asset.name)" }
            if let known { return known }
            assets.append(CompositionAsset(name: "\(name)/\(asset.name)", digest: asset.digest))
            return assets.count - 1
        }
        var nestedPlaces: [Int] = []
        for part in inner.nested ?? [] {
            var part = part
            part.name = "\(name)/\(part.name)"
            part.renumber(assets: assetPlaces, nested: nestedPlaces)
            nestedPlaces.append(place(of: part))
        }
        var whole = NestedComposition(inner, name: name)
        whole.renumber(assets: assetPlaces, nested: nestedPlaces)
        return place(of: whole)
    }

    private mutating func place(of part: NestedComposition) -> Int {
        if let known = nested.firstIndex(of: part) { return known }
        nested.append(part)
        return nested.count - 1
    }
}

extension NestedComposition {
    /// Replaces the positions of its assets and nested edits by those in the composition that contains it.
    fileprivate mutating func renumber(assets: [Int], nested: [Int]) {
        for track in videoTracks.indices {
            videoTracks[track].appearance?.numberAssets { assets[$0] }
            for index in videoTracks[track].segments.indices {
                let segment = videoTracks[track].segments[index]
                let places = segment.isNested == true ? nested : assets
                videoTracks[track].segments[index].asset = places[segment.asset]
                videoTracks[track].segments[index].appearance?.numberAssets { assets[$0] }
            }
        }
        for track in audioTracks.indices {
            for index in audioTracks[track].segments.indices {
                let segment = audioTracks[track].segments[index]
                let places = segment.isNested == true ? nested : assets
                audioTracks[track].segments[index].asset = places[segment.asset]
            }
        }
        for index in instructions.indices {
            for layer in instructions[index].layers.indices {
                guard let map = instructions[index].layers[layer].transition?.look?.map else { continue }
                instructions[index].layers[layer].transition?.look?.map?.asset = assets[map.asset]
            }
        }
        titleTracks = titleTracks?.map { track in
            var track = track
            for index in track.segments.indices {
                track.segments[index].layers = track.segments[index].layers.map { layer in
                    layer.changed { layer in
                        layer.renumber { assets[$0] }
                        layer.appearance?.numberAssets { assets[$0] }
                    }
                }
            }
            return track
        }
    }
}

extension TitleLayer {
    /// Replaces the positions of the layer's own image, subtitles and faces by `place` of them; layers in its group
    /// stay as they are.
    package mutating func renumber(_ place: (Int) -> Int) {
        if let image { self.image?.asset = place(image.asset) }
        subtitles = subtitles?.renumbered(place)
        guard var text else { return }
        text.faces = text.faces.map { FontFace(asset: place($0.asset), index: $0.index) }
        self.text = text
    }
}
