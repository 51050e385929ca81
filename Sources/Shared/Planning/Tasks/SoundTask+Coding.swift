package import CompositionModel

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

    package func write(to members: inout ObjectMembers) throws {
        try members.write("assets", assets)
        try members.write("channels", channels)
        try members.write("encoding", encoding)
        try members.write("firstSample", firstSample)
        if extent.preRoll != 0 { try members.write("lead", extent.preRoll) }
        if let libraries { try members.write("libraries", libraries) }
        if let loudness { try members.write("loudness", loudness) }
        if let master { try members.write("master", master) }
        if let nested { try members.write("nested", nested) }
        if let packets { try members.write("packets", packets) }
        if let programme = extent.programme { try members.write("programme", programme) }
        try members.write("rendererVersion", rendererVersion)
        try members.write("sampleCount", sampleCount)
        try members.write("sampleRate", sampleRate)
        if let speakers { try members.write("speakers", speakers) }
        if extent.postRoll != 0 { try members.write("tail", extent.postRoll) }
        try members.write("tracks", tracks)
    }
}
