import Foundation

/// A seeded random edit of sound alone: clips of many codecs, rates and channels, crossfades, ramps, pans, speeds,
/// processors, ducking, a master and a nested edit. Nothing in it keeps its sound from being cut into pieces: processors
/// that remember more than 44 s stand on clips alone.
package struct RandomSoundEdit: Sendable {
    package struct Source: Sendable {
        package var name: String
        package var file: String
        /// Of ffmpeg, without the file's name.
        package var arguments: [String]
    }

    /// Each is 14 s long: longer than a cell of a source.
    package static let sources = [
        source("wav", "wav.wav", 48_000, ["-c:a", "pcm_s16le"]),
        source("cd", "cd.wav", 44_100, ["-c:a", "pcm_s24le"]),
        source("hires", "hires.flac", 96_000, ["-c:a", "flac", "-sample_fmt", "s32"]),
        source("odd", "odd.wav", 22_050, ["-c:a", "pcm_s16le", "-ac", "1"]),
        source("aac", "aac.m4a", 44_100, ["-c:a", "aac", "-b:a", "64k"]),
        source("mp3", "mp3.mp3", 48_000, ["-c:a", "libmp3lame", "-b:a", "96k"]),
        source("opus", "opus.opus", 48_000, ["-c:a", "libopus", "-b:a", "64k"]),
        source("ac3", "ac3.mkv", 48_000, ["-c:a", "ac3", "-b:a", "256k", "-ac", "6"]),
    ]
    private static let seconds = 14

    private static func source(_ name: String, _ file: String, _ rate: Int, _ arguments: [String]) -> Source {
        let tones = "0.3*sin(2*PI*(90+40*t)*t)+0.1*(random(0)-0.5)|0.3*sin(2*PI*(2000-70*t)*t)+0.1*(random(1)-0.5)"
        let input = ["-f", "lavfi", "-i", "aevalsrc='\(tones)':s=\(rate):d=\(seconds)"]
        return Source(name: name, file: file, arguments: input + arguments)
    }

    package let seed: Int
    /// The edit, and the one that it calls `part`.
    package private(set) var text = ""
    package private(set) var part = ""
    private var numbers: SplitMix

    package init(seed: Int) {
        self.seed = seed
        numbers = SplitMix(state: UInt64(seed) &* 0x9E37_79B9 &+ 77)
        part = edit(trackCount: 1 + numbers.below(2), isPart: true)
        text = edit(trackCount: 2 + numbers.below(3), isPart: false)
    }

    private mutating func edit(trackCount: Int, isPart: Bool) -> String {
        let rate = pick([48_000, 44_100, 96_000, 48_000])
        let frames = pick(["25", "30000/1001", "24"])
        var tracks: [String] = []
        for number in 0..<trackCount { tracks.append(track(number, isPart: isPart)) }
        let files = Self.sources.map { "\"\($0.name)\": \"\($0.file)\"" } + (isPart ? [] : [#""part": "part.json""#])
        return """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "\(frames)", "sampleRate": \(rate), "channels": 2 },
              "assets": { \(files.joined(separator: ", ")) },
              \(chance(3) ? master() + "," : "")
              "tracks": [
                \(tracks.joined(separator: ",\n    "))
              ] }
            """
    }

    private mutating func track(_ number: Int, isPart: Bool) -> String {
        var words = ["\"kind\": \"audio\"", "\"id\": \"t\(number)\""]
        if chance(2) { words.append(volume("s", 5)) }
        if chance(4) { words.append(pan()) }
        if chance(4) { words.append(processors(Self.processors)) }
        if number > 0, chance(3) {
            words.append(#""duck": { "under": "t0", "by": "-\#(3 + numbers.below(12))dB", "threshold": "-30dB" }"#)
        }
        var items: [String] = []
        for place in 0..<2 + numbers.below(3) {
            if place > 0, chance(2) {
                let shape = pick(["equalPower", "linear", "cut"])
                // Two of them fit into the shortest clip, a second.
                items.append(
                    #"{ "transition": "dissolve", "duration": "\#(2 + numbers.below(11))f", "audio": "\#(shape)" }"#
                )
            }
            items.append(segment(isPart: isPart))
        }
        words.append("\"segments\": [\n        \(items.joined(separator: ",\n        "))\n    ]")
        return "{ \(words.joined(separator: ", ")) }"
    }

    private mutating func segment(isPart: Bool) -> String {
        let isNested = !isPart && chance(6)
        // The part lasts 1.3 s or more.
        let frames = 26 + numbers.below(isNested ? 4 : 40)
        var words = ["\"asset\": \"\(isNested ? "part" : pick(Self.sources).name)\""]
        let start = "\(numbers.below(isNested ? 60 : 9000))"
        if chance(6) {
            words += ramp(frames, isNested: isNested)
        } else if chance(4) {
            let speed = pick(["1/2", "-1", "30000/1001"] + (isNested ? [] : ["3/2", "2"]))
            // 2 s of the source, and so many of the timeline as it lasts.
            if speed == "30000/1001" {
                words.append("\"range\": [\"0s\", \"1.2s\"], \"duration\": \"\(frames)f\"")
            } else {
                let length = isNested ? "1.2s" : "2s"
                words.append("\"range\": [\"\(isNested ? "0" : start)ms\", \"\(length)\"], \"speed\": \"\(speed)\"")
            }
            if chance(2) { words.append(#""pitch": "keep""#) }
        } else {
            words.append("\"in\": \"\(start)ms\", \"duration\": \"\(frames)f\"")
        }
        if chance(2) { words.append(volume("s", 2)) }
        if chance(4) { words.append(pan()) }
        if chance(5) { words.append(processors(Self.processors + [Self.endless])) }
        return "{ \(words.joined(separator: ", ")) }"
    }

    /// Keys of a speed, about a place of the source that leaves them room on both sides.
    private mutating func ramp(_ frames: Int, isNested: Bool) -> [String] {
        var keys: [String] = []
        var millis = 0
        for number in 0..<2 + numbers.below(3) {
            let value = pick(isNested ? ["1", "0.5", "0", "0.05"] : ["1", "2", "0.5", "0", "-1", "\"4/3\"", "0.05"])
            let ease = pick(["", "", #", "ease": "inOutSine""#, #", "ease": "outElastic""#, #", "ease": "hold""#])
            keys.append("{ \"at\": \"\(millis)ms\", \"value\": \(number == 0 && isNested ? "1" : value)\(ease) }")
            millis += numbers.below(500)
        }
        let start = isNested ? 0 : 6000 + numbers.below(1000)
        let list = keys.joined(separator: ", ")
        return ["\"in\": \"\(start)ms\", \"duration\": \"\(frames)f\", \"speed\": [\(list)]"]
            + (chance(2) ? [#""pitch": "keep""#] : [])
    }

    /// Keys over some seconds, linear and in dB, with jumps.
    private mutating func volume(_ unit: String, _ seconds: Int) -> String {
        var keys: [String] = []
        var millis = 0
        for _ in 0..<1 + numbers.below(4) {
            let value = chance(2) ? "\"-\(numbers.below(24))dB\"" : "0.\(1 + numbers.below(9))"
            let ease = pick(["", #", "ease": "inOutCubic""#, #", "ease": "outSine""#, #", "ease": "hold""#])
            keys.append("{ \"at\": \"\(millis)ms\", \"value\": \(value)\(ease) }")
            millis += numbers.below(seconds * 500)
        }
        return "\"volume\": [\(keys.joined(separator: ", "))]"
    }

    private mutating func pan() -> String {
        let word = pick(["pan", "balance"])
        let places = [0, 1 + numbers.below(3)]
        let keys = places.map { "{ \"at\": \"\($0)s\", \"value\": \(sign())0.\(numbers.below(10)) }" }
        return "\"\(word)\": [\(keys.joined(separator: ", "))]"
    }

    private mutating func processors(_ some: [String]) -> String {
        var chain: [String] = []
        for _ in 0..<1 + numbers.below(2) {
            let after = chance(3) ? #", "after": "volume""# : ""
            chain.append("{ \(pick(some))\(after) }")
        }
        return "\"processors\": [\(chain.joined(separator: ", "))]"
    }

    private static let processors = [
        #""processor": "equalizer", "bands": [{ "band": "peak", "frequency": 800, "gain": 9, "quality": 2 }]"#,
        #""processor": "highPass", "frequency": 200, "order": 3"#,
        #""processor": "lowPass", "frequency": 3000"#,
        #""processor": "compressor", "release": "0.05s""#,
        #""processor": "gate", "threshold": -20"#,
        #""processor": "delay", "time": "0.1s", "feedback": 0.4"#,
        #""processor": "reverb", "decay": "0.4s""#,
        #""processor": "limiter", "ceiling": -12"#,
        #""processor": "noiseReduction""#,
    ]

    /// Remembers a minute and more.
    package static let endless = #""processor": "delay", "time": "0.9s", "feedback": 0.94"#

    private mutating func master() -> String {
        var words: [String] = []
        if chance(2) { words.append(volume("s", 4)) }
        if chance(2) { words.append(processors(Self.processors)) }
        if words.isEmpty || chance(2) { words.append(#""limiter": { "ceiling": "-6dB" }"#) }
        return "\"master\": { \(words.joined(separator: ", ")) }"
    }

    private mutating func sign() -> String { chance(2) ? "-" : "" }
    private mutating func chance(_ count: Int) -> Bool { numbers.below(count) == 0 }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[numbers.below(values.count)] }
}
