import Shared

/// How a source's channels make up the edit's one or two: output[o] = Σ matrix[o][c] × channel[c].
///
/// | source → edit | rule |
/// |---|---|
/// | mono → mono, stereo → stereo | untouched |
/// | mono → stereo | the same on both, at 1 |
/// | stereo → mono | (left + right) / 2 |
/// | more → stereo | ITU-R BS.775: front at 1, centre and surround of a side at √½, back centre at ½, LFE not at all; the whole divided by the largest row's sum, so that it cannot clip |
/// | more → mono | the mean of that stereo's two sides |
struct ChannelMatrix: Hashable {
    /// One row an output channel, one factor a source channel.
    let rows: [[Double]]

    /// - Parameter channels: of the edit, 1 or 2.
    init(from layout: ChannelLayout, channels: Int) {
        let stereo = ChannelMatrix.stereo(of: layout.speakers)
        if channels == 2 {
            rows = stereo
        } else {
            rows = [layout.speakers == ["FC"] ? [1] : zip(stereo[0], stereo[1]).map { ($0 + $1) / 2 }]
        }
    }

    /// - Throws: ``RenderError`` `unknown_channel_layout`.
    init(of facts: AudioStreamFacts, channels: Int) throws(RenderError) {
        guard let layout = ChannelLayout(description: facts.channelLayout, count: facts.channels) else {
            throw RenderError(
                "unknown_channel_layout",
                "Sound stream \(facts.streamIndex) has \(facts.channels) channels of layout “\(facts.channelLayout)”, "
                    + "which cannot be mapped to \(channels); convert it to stereo first.",
                isPermanent: true
            )
        }
        self.init(from: layout, channels: channels)
    }

    private static func stereo(of speakers: [String]) -> [[Double]] {
        if speakers == ["FC"] { return [[1], [1]] }
        let rows = [speakers.map(left), speakers.map { left(mirrored[$0] ?? $0) }]
        let loudest = rows.map { $0.reduce(0, +) }.max() ?? 0
        return loudest > 1 ? rows.map { $0.map { $0 / loudest } } : rows
    }

    /// What the left side gets of a loudspeaker.
    private static func left(_ speaker: String) -> Double {
        switch speaker {
        case "FL", "FLC", "WL", "DL": 1
        case "FC", "BL", "SL", "SDL", "TFL", "TBL", "TSL": 0.5.squareRoot()
        case "BC", "TC", "TFC", "TBC": 0.5
        default: 0
        }
    }

    private static let mirrored: [String: String] = {
        let pairs = [
            ("FL", "FR"), ("FLC", "FRC"), ("WL", "WR"), ("DL", "DR"), ("BL", "BR"), ("SL", "SR"), ("SDL", "SDR"),
            ("TFL", "TFR"), ("TBL", "TBR"), ("TSL", "TSR"),
        ]
        return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($1, $0) })
    }()
}
