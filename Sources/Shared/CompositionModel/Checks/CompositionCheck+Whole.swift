import Timing

extension CompositionCheck {
    /// Checks the schema, the format, the length, the names of tracks and the number of pieces.
    mutating func whole() {
        if composition.schema != Composition.schemaName {
            report(.schema, "/schema", "the schema is “\(composition.schema)”, not “\(Composition.schemaName)”")
        }
        format(composition.format)
        if composition.frameCount < 1 {
            report(.emptyTimeline, "/frameCount", "the timeline has \(composition.frameCount) frames")
        } else if composition.frameCount > mostFrames {
            report(.tooLong, "/frameCount", "\(composition.frameCount) frames are over the limit of \(mostFrames)")
        }
        soundLength()
        uniqueTracks(composition.videoTracks.map(\.id), under: "/videoTracks")
        uniqueTracks(
            (composition.titleTracks ?? []).map(\.id),
            under: "/titleTracks",
            beside: composition.videoTracks.map(\.id)
        )
        uniqueTracks(composition.audioTracks.map(\.id), under: "/audioTracks")
        count()
    }

    /// Checks that a length of the sound's own belongs to a timeline without picture and ends within its last frame.
    private mutating func soundLength() {
        guard let count = composition.soundSampleCount, 1...mostFrames ~= composition.frameCount else { return }
        if hasPicture {
            report(.soundLength, "/soundSampleCount", "a timeline with picture has the sound of its frames")
        }
        let last = FrameRange(start: composition.frameCount - 1, count: 1)
        let samples = try? composition.format.frameRate.samples(
            ofFrames: last,
            sampleRate: composition.format.sampleRate
        )
        if let samples, count <= samples.lowerBound || count > samples.upperBound {
            let frame = "samples \(samples.lowerBound) to \(samples.upperBound)"
            report(.soundLength, "/soundSampleCount", "\(count) samples do not end within the last frame, \(frame)")
        }
    }

    private mutating func format(_ format: Format) {
        size(format.size, at: "/format/size")
        if !Limits.frameRates.contains(format.frameRate.framesPerSecond) {
            report(
                .frameRate,
                "/format/frameRate",
                "\(format.frameRate) frames per second are not between 1 and 1000"
            )
        }
        if !Limits.sampleRates.contains(format.sampleRate) {
            report(.sampleRate, "/format/sampleRate", "\(format.sampleRate) Hz are not between 8000 and 192000")
        }
        if !Limits.channels.contains(format.channels) {
            report(.channels, "/format/channels", "\(format.channels) channels: 1 to 8 are possible")
        }
        if format.color != .bt709 {
            report(.color, "/format/color", "this version renders bt709 of limited range alone")
        }
        if !format.background.isHexColor {
            report(.color, "/format/background", "“\(format.background)” is no colour like #rrggbb")
        }
    }

    /// Checks the sides of a picture: both must be even, because 8-bit 4:2:0 has one chroma sample for 2 × 2 pixels.
    mutating func size(_ size: PictureSize, at pointer: @autoclosure () -> String) {
        let sides = [size.width, size.height]
        if sides.contains(where: { $0 < 2 || $0 > Limits.longestSide || !$0.isMultiple(of: 2) }) {
            let rule = "both sides must be even, 2 to \(Limits.longestSide)"
            report(.size, pointer(), "\(size.width)x\(size.height) is no size for a picture: \(rule)")
        }
    }

    private mutating func uniqueTracks(
        _ ids: [String],
        under pointer: @autoclosure () -> String,
        beside others: [String] = []
    ) {
        var seen = Set(others)
        for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
            report(.duplicateTrack, "\(pointer())/\(index)/id", "two tracks are called “\(id)”")
        }
    }

    /// Checks the number of pieces and tracks: a small document may still ask for more work than any edit needs.
    private mutating func count() {
        let total = composition.pieceCount
        if total > Limits.mostSegments {
            report(.tooMany, "", "\(total) pieces are over the limit of \(Limits.mostSegments)")
        }
        let pictures = composition.videoTracks.count + (composition.titleTracks ?? []).count
        let layers = composition.instructions.map(\.layers.count).max() ?? 0
        let most = max(pictures, composition.audioTracks.count, layers)
        if most > Limits.mostTracks {
            report(.tooMany, "", "\(most) tracks or layers are over the limit of \(Limits.mostTracks)")
        }
    }
}

extension Composition {
    /// The number of segments of all tracks, of instructions and of their layers, without those of nested edits.
    package var pieceCount: Int {
        let tracks = videoTracks.map(\.segments.count) + audioTracks.map(\.segments.count)
        let titles = (titleTracks ?? []).map(\.segments.count)
        return (tracks + titles + instructions.map(\.layers.count)).reduce(instructions.count, +)
    }

    /// The number of layers, over all cuts, to which the picture may come while it is planned: in proportion to what the
    /// composition and the edits nested in it have. Where nested edits are composited directly, their cuts multiply.
    package var mostResolvedLayers: Int {
        let pieces = (nested ?? []).indices.reduce(pieceCount) { $0 + nestedComposition($1).pieceCount }
        return min(Limits.mostSegments, Limits.segmentsOfAnyText + Limits.layersOfAPiece * pieces)
    }
}

extension String {
    /// Whether the text is `#rrggbb`.
    var isHexColor: Bool {
        utf8.count == 7 && utf8.first == UInt8(ascii: "#") && dropFirst().allSatisfy(\.isHexDigit)
    }
}
