/// Which loudspeaker each channel of a source is meant for, by the names libavutil gives them.
public struct ChannelLayout: Sendable, Hashable {
    /// Such as `FL`, `FR`, `FC`, `LFE`, `BL`, `BR`, `SL`, `SR`, in the order of the channels.
    public let speakers: [String]

    /// - Parameters:
    ///   - description: libavutil's, such as `stereo`, `5.1(side)`, `FL+FR+LFE` or `6 channels (FL+FR+…)`.
    ///   - count: of the channels. Where the description is unknown, or of another count, the count's usual layout is
    ///     taken, as FFmpeg does for files that do not tell.
    /// - Returns: nil when neither is known.
    public init?(description: String, count: Int) {
        let candidates = [
            ChannelLayout.named[description], ChannelLayout.listed(in: description), ChannelLayout.usual(count),
        ]
        guard let speakers = candidates.compactMap(\.self).first(where: { $0.count == count }) else { return nil }
        self.speakers = speakers
    }

    /// That of an edit.
    /// - Parameter channels: how many it has, 1 to 8.
    public init?(edit channels: Int) {
        guard let name = ChannelLayout.editNames[channels], let speakers = ChannelLayout.named[name] else { return nil }
        self.speakers = speakers
    }

    /// What the channels of an edit are, by their number, as libavutil calls it.
    public static let editNames = [
        1: "mono", 2: "stereo", 3: "2.1", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1",
    ]

    /// `FL+FR+FC`, alone or in parentheses.
    private static func listed(in description: String) -> [String]? {
        let inner = description.split(separator: "(").last.map { $0.prefix { $0 != ")" } } ?? ""
        let names = inner.split(separator: "+").map(String.init)
        return names.allSatisfy(known.contains) ? names : nil
    }

    private static func usual(_ count: Int) -> [String]? {
        let names = [1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"]
        return names[count].flatMap { named[$0] }
    }

    private static let known: Set<String> = Set(named.values.flatMap(\.self)).union([
        "TC", "TFL", "TFC", "TFR", "TBL", "TBC", "TBR", "TSL", "TSR", "SDL", "SDR", "LFE2",
    ])

    /// libavutil/channel_layout.c, channel_layout_map of FFmpeg 5.1, as far as it names planar layouts.
    static let named: [String: [String]] = [
        "mono": "FC", "stereo": "FL FR", "2.1": "FL FR LFE", "3.0": "FL FR FC", "3.0(back)": "FL FR BC",
        "4.0": "FL FR FC BC", "quad": "FL FR BL BR", "quad(side)": "FL FR SL SR", "3.1": "FL FR FC LFE",
        "5.0": "FL FR FC BL BR", "5.0(side)": "FL FR FC SL SR", "4.1": "FL FR FC LFE BC",
        "5.1": "FL FR FC LFE BL BR", "5.1(side)": "FL FR FC LFE SL SR", "6.0": "FL FR FC BC SL SR",
        "6.0(front)": "FL FR FLC FRC SL SR", "hexagonal": "FL FR FC BL BR BC", "6.1": "FL FR FC LFE BC SL SR",
        "6.1(back)": "FL FR FC LFE BL BR BC", "6.1(front)": "FL FR LFE FLC FRC SL SR",
        "7.0": "FL FR FC BL BR SL SR", "7.0(front)": "FL FR FC FLC FRC SL SR", "7.1": "FL FR FC LFE BL BR SL SR",
        "7.1(wide)": "FL FR FC LFE BL BR FLC FRC", "7.1(wide-side)": "FL FR FC LFE FLC FRC SL SR",
        "octagonal": "FL FR FC BL BR BC SL SR", "downmix": "DL DR",
    ].mapValues { $0.split(separator: " ").map(String.init) }
}
