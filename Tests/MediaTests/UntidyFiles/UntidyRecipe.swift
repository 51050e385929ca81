import Foundation
import TestSupport

/// What one untidy file is made of, before it is made.
struct UntidyRecipe {
    var name: String
    var words: [String] = []
    var habits: Set<UntidyFile.Habit> = []
    var pictures: PictureRecipe?
    var sound: SoundRecipe?
    /// ffmpeg's arguments for the muxer.
    var muxing: [String] = []
    /// Changes the finished bytes.
    var patches: [(inout [UInt8]) -> Void] = []
    /// Seconds by which a time in the container may be off.
    var tolerance = 0.001
    /// Whether the length of lossy sound is exact in this container.
    var isSoundExact = false
    /// What becomes of the pictures' numbers and times behind the encoder, such as by an edit list.
    var edit: ((inout MadePictures) -> Void)?
    var editSound: ((inout MadeSound) -> Void)?

    mutating func note(_ habit: UntidyFile.Habit, _ text: String) {
        habits.insert(habit)
        words.append(text)
    }

    /// Makes the file in `folder`.
    func make(seed: Int, in folder: URL) async throws -> UntidyFile {
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        var arguments: [String] = []
        var samples: [Int16] = []
        if let pictures {
            let raw = NumberedFrames.raw(pictures.count, width: pictures.width, height: pictures.height)
            try raw.write(to: URL(fileURLWithPath: path("pictures.yuv")))
            arguments += [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(pictures.width)x\(pictures.height)", "-r",
                "\(pictures.rate.num)/\(pictures.rate.den)", "-i", path("pictures.yuv"),
            ]
        }
        if let sound {
            samples = MadeSound.noise(sound.count, seed: seed)
            let interleaved = samples.flatMap { sample in (0..<sound.channels).map { sample / Int16($0 + 1) } }
            try interleaved.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path("sound.pcm")))
            arguments += [
                "-f", "s16le", "-ar", "\(sound.sampleRate)", "-ac", "\(sound.channels)", "-itsoffset",
                "\(sound.offset)", "-i", path("sound.pcm"),
            ]
        }
        if let pictures { arguments += ["-map", "0:v"] + pictures.arguments }
        if let sound { arguments += ["-map", pictures == nil ? "0:a" : "1:a"] + sound.codec.arguments }
        arguments += ["-map_metadata", "-1", "-threads", "1"]
        if let expression = sound.flatMap(shift) {
            // While it encodes, the filter's TB is not the unit of its packets; where it copies, it is the stream's.
            let even = path("even-\(name)")
            try await Shell.ffmpeg(arguments + [even])
            let copying = ["-map", "0", "-c", "copy", "-bsf:a", "setts=ts=\(expression)"]
            try await encode(["-i", even] + copying + muxing, to: path(name))
        } else {
            try await encode(arguments + muxing, to: path(name))
        }
        if !patches.isEmpty {
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
            for patch in patches { patch(&bytes) }
            try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        }
        return UntidyFile(
            seed: seed,
            path: path(name),
            words: ([name] + [pictures?.codec.name, sound?.codec.name].compactMap(\.self) + words).joined(
                separator: ", "
            ),
            habits: habits,
            pictures: madePictures,
            sound: madeSound(samples)
        )
    }

    private func encode(_ arguments: [String], to path: String) async throws {
        guard habits.contains(.streamed) else {
            try await Shell.ffmpeg(arguments + [path])
            return
        }
        let format =
            [
                "wav": "wav", "flac": "flac", "mkv": "matroska", "webm": "webm", "mp3": "mp3", "au": "au", "caf": "caf",
                "w64": "w64", "avi": "avi", "flv": "flv", "ts": "mpegts", "aac": "adts", "ogg": "ogg",
                "opus": "opus",
            ][(path as NSString).pathExtension] ?? "nut"
        let bytes = try await Shell.ffmpeg(arguments + ["-f", format, "-"])
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// Times that are not those of the encoder, as an expression of ffmpeg's filter `setts`; nil where they are.
    private func shift(_ sound: SoundRecipe) -> String? {
        var terms: [String] = []
        let rate = sound.sampleRate
        if let gap = sound.gap {
            terms.append("if(gte((PTS-STARTPTS)*TB\\,\(gap.at)/\(rate))\\,round(\(gap.count)/\(rate)/TB)\\,0)")
        }
        if !sound.jitter.isEmpty {
            let late = sound.jitter.enumerated().map { place, milliseconds in
                "eq(mod(N\\,\(sound.jitter.count))\\,\(place))*round(\(milliseconds)/1000/TB)"
            }
            terms.append(late.joined(separator: "+"))
        }
        return terms.isEmpty ? nil : (["PTS"] + terms).joined(separator: "+")
    }

    private var madePictures: MadePictures? {
        guard let pictures else { return nil }
        let numbers = pictures.numbers
        let first = pictures.time(numbers[0])
        // Where every second picture is left out, the others are even at half the rate.
        let steps = Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
        let isEven = steps.count <= 1 && !habits.contains(.pictureGap) && !habits.contains(.rateChange)
        var made = MadePictures(
            numbers: numbers,
            times: numbers.map { pictures.time($0) - first },
            tolerance: tolerance + (habits.contains(.pictureJitter) ? 0.001 : 0),
            rate: isEven && (pictures.shift == nil || numbers.count >= 12)
                ? (pictures.rate.num, pictures.rate.den * Int64(steps.first ?? 1)) : nil,
            width: pictures.width,
            height: pictures.height,
            pixelAspect: pictures.pixelAspect,
            isWhole: !habits.contains(.cut)
        )
        edit?(&made)
        return made
    }

    private func madeSound(_ samples: [Int16]) -> MadeSound? {
        guard let sound else { return nil }
        let length = sound.count + (sound.gap?.count ?? 0)
        var made = MadeSound(
            sampleRate: sound.sampleRate,
            channels: sound.channels,
            samples: samples,
            isLossless: sound.codec.isLossless,
            count: sound.codec.isLossless || isSoundExact ? length : nil,
            start: sound.offset,
            tolerance: tolerance,
            gap: sound.gap,
            isWhole: !habits.contains(.cut)
        )
        if pictures != nil { place(&made, sound) }
        if pictures == nil, !sound.codec.isLossless, !isSoundExact { made.start = nil }
        editSound?(&made)
        return made
    }

    /// Where sound is heard beside pictures: as its first packet that is heard says.
    private func place(_ made: inout MadeSound, _ sound: SoundRecipe) {
        let isShifted = shift(sound) != nil
        var start = sound.offset
        switch sound.codec.name {
        case "Vorbis" where !sound.jitter.isEmpty:
            // The first packet gives nothing, and the second, a few milliseconds behind it, is not before it.
            start += Double(max(sound.jitter[1], sound.jitter[0] - 3)) / 1000
            made.tolerance += 0.002
        default: start += Double(sound.jitter.first ?? 0) / 1000
        }
        if sound.codec.name == "Opus", name.hasSuffix("mkv") || name.hasSuffix("webm") {
            // FFmpeg's muxer does not add the CodecDelay that its demuxer takes away (RFC 9559, 5.1.4.1.25).
            start -= (isShifted ? 2 : 1) * 312.0 / 48_000
            made.tolerance += 0.001
        }
        made.start = start
    }
}
