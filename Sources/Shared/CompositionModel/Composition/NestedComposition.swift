package import Timing

/// An edit that is an asset of another one, compiled: what it shows and sounds like, in its own size and at its own
/// rates. Its pieces refer to ``Composition/assets`` of the whole, and to nested edits before it in
/// ``Composition/nested``: so none can hold itself.
public struct NestedComposition: Sendable, Hashable, Codable {
    /// The asset's name in the edit, for messages.
    public var name: String
    public var format: Format
    /// In frames of `format.frameRate`.
    public var frameCount: Int64
    public var videoTracks: [VideoTrack]
    /// Nil is none.
    public var titleTracks: [TitleTrack]?
    public var instructions: [VideoCompositionInstruction]
    public var audioTracks: [AudioTrack]
    /// Nil does nothing.
    public var master: MasterMix?

    public init(_ composition: Composition, name: String) {
        self.name = name
        format = composition.format
        frameCount = composition.frameCount
        videoTracks = composition.videoTracks
        titleTracks = composition.titleTracks
        instructions = composition.instructions
        audioTracks = composition.audioTracks
        master = composition.master
    }
}

extension Composition {
    /// Nested edit `index` as a composition by itself, which nobody renders to a file.
    package func nestedComposition(_ index: Int) -> Composition {
        let inner = (nested ?? [])[index]
        return Composition(
            format: inner.format,
            frameCount: inner.frameCount,
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

    /// What an edit that uses this one as an asset knows of it: one stream of picture and one of sound, as far as it
    /// has them.
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
    /// Positions of the nested edits that it shows or sounds like itself.
    var nestedEdits: [Int] {
        videoTracks.flatMap(\.segments).filter { $0.isNested == true }.map(\.asset)
            + audioTracks.flatMap(\.segments).filter { $0.isNested == true }.map(\.asset)
    }

    /// What its streams are called where a codec's name stands.
    package static let codec = VideoStreamFacts.nestedEditCodec
}

/// What the pieces of a composition refer to by position, while it is compiled.
package struct CompositionParts {
    package var assets: [CompositionAsset] = []
    package var nested: [NestedComposition] = []

    package init() {}

    /// Takes `inner` in with all that it is made of.
    /// - Parameter name: of the asset; names of what is inside begin with it.
    /// - Returns: its position in `nested`.
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
    /// Makes its numbers those of the composition that takes it in.
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
    /// Its own assets and faces, not those of what it groups.
    package mutating func renumber(_ place: (Int) -> Int) {
        if let image { self.image?.asset = place(image.asset) }
        subtitles = subtitles?.renumbered(place)
        guard var text else { return }
        text.faces = text.faces.map { FontFace(asset: place($0.asset), index: $0.index) }
        self.text = text
    }
}
