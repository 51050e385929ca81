import Timing

/// The source that an output of the preset `match` follows (docs/copying.md).
package struct MatchedSource: Sendable, Hashable, Codable {
    /// The asset's name in the composition.
    package var asset: String
    /// libavformat's index of the picture stream.
    package var stream: Int

    package init(asset: String, stream: Int) { (self.asset, self.stream) = (asset, stream) }
}

extension OutputSettings {
    /// The settings as they are when they follow a source.
    /// - Parameters:
    ///   - name: the asset's name in the composition.
    ///   - file: the facts of the asset.
    ///   - stream: its stream of which pictures can be copied.
    package func following(
        _ name: String,
        _ file: AssetFacts,
        _ stream: VideoStreamFacts
    ) -> OutputSettings {
        var settings = self
        settings.match = MatchedSource(asset: name, stream: stream.streamIndex)
        settings.container = Container(following: file, stream)
        settings.video?.raster = CodedRaster(of: stream)
        // Matroska declares the priming of no other lossy codec than Opus, and that rounded to milliseconds. PCM of
        // QuickTime stays PCM, in which untouched samples are the source's.
        let isPCM = file.defaultAudio?.codec.hasPrefix("pcm_") == true
        if settings.container == .matroska || settings.container == .mov && isPCM, settings.audio != nil {
            settings.audio = AudioEncoding(codec: .pcm24, bitRate: nil)
        }
        settings.video?.copies = true
        settings.video?.profile = stream.copiedProfile
        if let quantiser = stream.copy?.quantiserThousandths { settings.video?.match(quantiser: quantiser) }
        return settings
    }

    /// The source that the output follows and what it takes from it, such as
    /// `follows "camera": H.264 High in MP4, quantiser 21.3`; nil unless the preset is `match`.
    package var matchWords: String? {
        guard let match, let video else { return nil }
        let profile = (video.profile ?? .high).title
        let tenths = ((video.crfThousandths ?? 0) + 50) / 100
        let quality = "\(video.isSteady == true ? "quantiser" : "CRF") \(tenths / 10).\(tenths % 10)"
        let raster = video.raster?.words ?? ""
        return "follows \"\(match.asset)\": H.264 \(profile)\(raster) in \(container.title), \(quality)"
    }
}

extension CodedRaster {
    /// The raster in messages, after the profile.
    fileprivate var words: String {
        var words = ", coded \(size.width)x\(size.height)"
        if degrees != 0 { words += ", turned \(degrees)°" }
        if pixelAspect != RationalTime(whole: 1) {
            words += ", pixel aspect \(pixelAspect.numerator):\(pixelAspect.denominator)"
        }
        return words + ","
    }
}

extension Container {
    /// The container of a source, where movies are written to it; else MP4.
    fileprivate init(following file: AssetFacts, _ stream: VideoStreamFacts) {
        if file.container.hasPrefix("matroska") {
            // libavformat's writer of Matroska writes no rotation.
            self = stream.orientation == .upright ? .matroska : .mp4
        } else {
            self = file.brand == "qt  " ? .mov : .mp4
        }
    }

    /// The name of the container in messages.
    package var title: String {
        switch self {
        case .mp4: "MP4"
        case .mov: "QuickTime"
        case .matroska: "Matroska"
        case .wav: "WAV"
        case .flac: "FLAC"
        case .ogg: "Ogg"
        case .mp3: "MP3"
        }
    }
}

extension VideoStreamFacts {
    /// The highest profile of its pictures that can be copied; nil when none can.
    fileprivate var copiedProfile: H264Profile? {
        guard let copy else { return nil }
        let forms = Set(copy.stretches.map(\.form)).filter(copy.forms.indices.contains).map { copy.forms[$0] }
        return forms.compactMap(\.copiedProfile).max { $0.number < $1.number }
    }
}
