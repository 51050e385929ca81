import CompositionModel

/// The JSON of a sound task, which is stored with jobs and digested into keys. The members of the extent stand beside
/// the other members; each is left out when it is 0 or nil.
extension SoundTask {
    private enum CodingKeys: String, CodingKey {
        case sampleRate, channels, speakers, sampleCount, firstSample
        case preRoll = "lead"
        case postRoll = "tail"
        case assets, tracks, nested, master, loudness, programme, encoding, packets, rendererVersion, libraries
    }

    /// Reads the task; pre-roll and post-roll that are absent are 0.
    /// - Throws: `DecodingError` for missing members and members of another type.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let piece = SoundPiece(
            preRoll: try container.decodeIfPresent(Int64.self, forKey: .preRoll) ?? 0,
            postRoll: try container.decodeIfPresent(Int64.self, forKey: .postRoll) ?? 0,
            programme: try container.decodeIfPresent(SoundProgramme.self, forKey: .programme)
        )
        self.init(
            sampleRate: try container.decode(Int.self, forKey: .sampleRate),
            channels: try container.decode(Int.self, forKey: .channels),
            speakers: try container.decodeIfPresent([String].self, forKey: .speakers),
            sampleCount: try container.decode(Int64.self, forKey: .sampleCount),
            firstSample: try container.decode(Int64.self, forKey: .firstSample),
            extent: SoundExtent(piece),
            assets: try container.decode([ContentDigest].self, forKey: .assets),
            tracks: try container.decode([AudioTrack].self, forKey: .tracks),
            nested: try container.decodeIfPresent([NestedSound].self, forKey: .nested),
            master: try container.decodeIfPresent(MasterMix.self, forKey: .master),
            loudness: try container.decodeIfPresent(LoudnessGain.self, forKey: .loudness),
            encoding: try container.decode(AudioEncoding.self, forKey: .encoding),
            packets: try container.decodeIfPresent(SoundPacketPlan.self, forKey: .packets),
            rendererVersion: try container.decode(Int.self, forKey: .rendererVersion),
            libraries: try container.decodeIfPresent([String: String].self, forKey: .libraries)
        )
    }

    /// Writes the task; pre-roll and post-roll of 0 and members that are nil are left out.
    /// - Throws: `EncodingError` if `encoder` cannot hold a value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sampleRate, forKey: .sampleRate)
        try container.encode(channels, forKey: .channels)
        try container.encodeIfPresent(speakers, forKey: .speakers)
        try container.encode(sampleCount, forKey: .sampleCount)
        try container.encode(firstSample, forKey: .firstSample)
        try container.encodeIfPresent(extent.preRoll == 0 ? nil : extent.preRoll, forKey: .preRoll)
        try container.encodeIfPresent(extent.postRoll == 0 ? nil : extent.postRoll, forKey: .postRoll)
        try container.encode(assets, forKey: .assets)
        try container.encode(tracks, forKey: .tracks)
        try container.encodeIfPresent(nested, forKey: .nested)
        try container.encodeIfPresent(master, forKey: .master)
        try container.encodeIfPresent(loudness, forKey: .loudness)
        try container.encodeIfPresent(extent.programme, forKey: .programme)
        try container.encode(encoding, forKey: .encoding)
        try container.encodeIfPresent(packets, forKey: .packets)
        try container.encode(rendererVersion, forKey: .rendererVersion)
        try container.encodeIfPresent(libraries, forKey: .libraries)
    }
}
