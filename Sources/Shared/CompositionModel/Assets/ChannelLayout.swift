/// The loudspeaker for which each channel of a source is meant, by libavutil's names.
package struct ChannelLayout: Sendable, Hashable {
    /// The loudspeakers in the order of the channels, such as `FL`, `FR`, `FC`, `LFE`, `BL`, `BR`, `SL`, `SR`.
    package let speakers: [String]

    /// The layout of a source.
    /// - Parameters:
    ///   - description: The layout in libavutil's words, such as `stereo`, `5.1(side)`, `FL+FR+LFE` or
    ///     `6 channels (FL+FR+…)`.
    ///   - count: The number of channels. If the description is unknown or has another count, the usual layout of this
    ///     count is taken, as FFmpeg does for files that state none.
    /// - Returns: nil when neither the description nor a usual layout of the count is known.
    package init?(description: String, count: Int) {
        func fitting(_ speakers: [String]?) -> [String]? { speakers.flatMap { $0.count == count ? $0 : nil } }
        // Reading a list takes time, and most descriptions are a name.
        let speakers =
            fitting(ChannelLayout.named[description]) ?? fitting(ChannelLayout.listed(in: description))
            ?? fitting(ChannelLayout.usual(count))
        guard let speakers else { return nil }
        self.speakers = speakers
    }

    /// The layout of an edit.
    /// - Parameter channels: The number of the edit's channels, 1 to 8.
    /// - Returns: nil for any other number.
    package init?(edit channels: Int) {
        guard let name = ChannelLayout.editNames[channels], let speakers = ChannelLayout.named[name] else { return nil }
        self.speakers = speakers
    }

    /// The libavutil name of an edit's layout, by its number of channels.
    package static let editNames = [
        1: "mono", 2: "stereo", 3: "2.1", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1",
    ]

    /// The loudspeakers of a list such as `FL+FR+FC`, alone or in parentheses; nil when a name is unknown.
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

    /// The planar layouts of channel_layout_map in libavutil/channel_layout.c of FFmpeg 5.1.
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
