import CompositionModel

/// How a source's channels make up the edit's: output[o] = Σ matrix[o][c] × channel[c].
///
/// | source → edit | rule |
/// |---|---|
/// | the same loudspeakers | untouched |
/// | mono → stereo | the same on both, at 1 |
/// | stereo → mono | (left + right) / 2 |
/// | more → stereo | ITU-R BS.775: front at 1, centre and surround of a side at √½, back centre at ½, no LFE; divided |
/// | more → mono | the mean of that stereo's two sides |
/// | all else | each loudspeaker to itself, one that the edit has not to those beside it (``ChannelFold``); divided |
///
/// Divided: by the largest row's sum, so that it cannot clip.
struct ChannelMatrix: Hashable {
    /// One row an output channel, one factor a source channel.
    let rows: [[Double]]

    /// - Parameter channels: the number of the edit's channels, 1 to 8.
    init(from layout: ChannelLayout, channels: Int) {
        if channels > 2, let target = ChannelLayout(edit: channels)?.speakers {
            rows = ChannelMatrix.rows(from: layout.speakers, to: target)
            return
        }
        let stereo = ChannelMatrix.stereo(of: layout.speakers)
        if channels == 2 {
            rows = stereo
        } else {
            rows = [layout.speakers == ["FC"] ? [1] : zip(stereo[0], stereo[1]).map { ($0 + $1) / 2 }]
        }
    }

    private static func rows(from speakers: [String], to target: [String]) -> [[Double]] {
        var rows = target.map { _ in speakers.map { _ in 0.0 } }
        for (column, speaker) in speakers.enumerated() {
            for (part, gain) in ChannelFold.parts(of: speaker, among: speakers, in: target) {
                if let row = target.firstIndex(of: part) { rows[row][column] += gain }
            }
        }
        let loudest = rows.map { $0.reduce(0, +) }.max() ?? 0
        return loudest > 1 ? rows.map { $0.map { $0 / loudest } } : rows
    }

    /// What a clip itself says.
    /// - Parameters:
    ///   - map: millionths, one row a channel of the edit; what a row does not name is 0.
    ///   - count: channels of the source.
    /// - Throws: ``RenderError`` `invalid_sound_task` when it names a channel that the source has not.
    private init(map: [[Int64]], of count: Int) throws(RenderError) {
        guard map.allSatisfy({ $0.count <= count }) else {
            let what = "a clip names channel \(map.map(\.count).max() ?? 0) of a source with \(count)"
            throw RenderError(
                "invalid_sound_task",
                "The sound task is invalid: \(what); plan it again.",
                isPermanent: true
            )
        }
        rows = map.map { row in
            row.map { Double($0) / 1_000_000 } + Array(repeating: 0, count: count - row.count)
        }
    }

    /// - Parameter map: the clip's own map, nil where the loudspeakers decide.
    /// - Throws: ``RenderError`` `unknown_channel_layout`, `invalid_sound_task`.
    init(of facts: AudioStreamFacts, channels: Int, map: [[Int64]]?) throws(RenderError) {
        if let map {
            try self.init(map: map, of: facts.channels)
            return
        }
        guard let layout = ChannelLayout(description: facts.channelLayout, count: facts.channels) else {
            throw RenderError(
                "unknown_channel_layout",
                "Sound stream \(facts.streamIndex) has \(facts.channels) channels of layout “\(facts.channelLayout)”, "
                    + "which cannot be mapped to \(channels); say with \"channels\" what is heard.",
                isPermanent: true
            )
        }
        self.init(from: layout, channels: channels)
    }

    /// The matrix of a nested edit.
    init(ofEdit count: Int, channels: Int, map: [[Int64]]?) throws(RenderError) {
        if let map {
            try self.init(map: map, of: count)
            return
        }
        guard let layout = ChannelLayout(edit: count) else {
            throw RenderError("unsupported_channels", "A nested edit has \(count) channels.", isPermanent: true)
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
