import Timing

/// The source that an output of the preset `match` follows (docs/copying.md).
package struct MatchedSource: Sendable, Hashable, Codable {
    /// The asset's name in the composition.
    package var asset: String
    /// libavformat's index of the picture stream.
    package var stream: Int
    /// The name of its coding in messages, such as `HEVC Main 10`, where every frame is copied; nil elsewhere.
    package var coding: String?

    package init(asset: String, stream: Int, coding: String? = nil) {
        (self.asset, self.stream, self.coding) = (asset, stream, coding)
    }
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
        let codec = VideoEncoding.Codec(rawValue: stream.codec) ?? .h264
        if stream.isCopyOnly {
            settings.match?.coding = stream.coding(codec)
            settings.video = VideoEncoding(copying: stream, codec)
        }
        settings.video?.raster = CodedRaster(of: stream)
        // Matroska declares the priming of no other lossy codec than Opus, and that rounded to milliseconds. PCM of
        // QuickTime stays PCM, in which untouched samples are the source's.
        let isPCM = file.defaultAudio?.codec.hasPrefix("pcm_") == true
        if settings.container == .matroska || settings.container == .mov && isPCM, settings.audio != nil {
            settings.audio = AudioEncoding(codec: .pcm24, bitRate: nil)
        }
        guard settings.video?.isCopyOnly == false else { return settings }
        settings.video?.codec = codec
        settings.video?.copies = true
        settings.video?.profile = stream.copiedProfile
        if let quantiser = stream.copy?.quantiserThousandths { settings.video?.match(quantiser: quantiser) }
        return settings
    }

    /// The source that the output follows and what it takes from it, such as
    /// `follows "camera": H.264 High in MP4, quantiser 21.3`; nil unless the preset is `match`.
    package var matchWords: String? {
        guard let match, let video else { return nil }
        if let coding = match.coding {
            let raster = video.raster?.words ?? ""
            return "follows \"\(match.asset)\": \(coding)\(raster) in \(container.title), every frame copied"
        }
        let profile = video.codec == .hevc ? "Main" : (video.profile ?? .high).title
        let tenths = ((video.crfThousandths ?? 0) + 50) / 100
        let quality = "\(video.isSteady == true ? "quantiser" : "CRF") \(tenths / 10).\(tenths % 10)"
        let raster = video.raster?.words ?? ""
        return "follows \"\(match.asset)\": \(video.codec.title) \(profile)\(raster) in \(container.title), \(quality)"
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
        let codec = VideoEncoding.Codec(rawValue: stream.codec) ?? .h264
        // ProRes, DNxHD and Motion JPEG are at home in QuickTime.
        let usual = Container.mp4.holds(codec) ? Container.mp4 : .mov
        if file.container.hasPrefix("matroska") {
            // libavformat's writer of Matroska writes no rotation.
            self = stream.orientation == .upright ? .matroska : usual
        } else {
            self = file.brand == "qt  " ? .mov : usual
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

    /// The name of its coding in messages.
    fileprivate func coding(_ codec: VideoEncoding.Codec) -> String {
        // The profiles of DNxHD are named for it, and one of them is its own name.
        guard codec != .dnxhd else { return profile ?? codec.title }
        let name = [codec.title, profile].compactMap(\.self).joined(separator: " ")
        guard [.h264, .hevc].contains(codec), color != .bt709 else { return name }
        return "\(name) (colour \(color.words)\(isColorGuessed == true ? ", guessed" : ""))"
    }
}

extension VideoEncoding {
    /// The encoding of an output all of whose frames are copied, as those of a stream are.
    fileprivate init(copying stream: VideoStreamFacts, _ codec: Codec) {
        self.init(codec: codec, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 0)
        copies = true
        form = stream.mostUsedForm
        color = stream.color
    }
}
