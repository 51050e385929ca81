package import Foundation
import TestSupport

extension UntidyFile {
    /// Makes the file of `seed` in `folder`: the same at every call.
    package static func make(seed: Int, in folder: URL) async throws -> UntidyFile {
        var random = SplitMix(seed: UInt64(seed) &* 7_919)
        // Neighbouring seeds are of different families, so that a few seeds show them all.
        let families = UntidyRecipe.families
        var recipe = try families[seed % families.count](&random)
        recipe.finish(&random)
        return try await recipe.make(seed: seed, in: folder)
    }
}

extension UntidyRecipe {
    static let families: [@Sendable (inout SplitMix) throws -> UntidyRecipe] = [
        mp4, matroska, webm, transport, soundFile, mov, avi, editList, lossySoundFile, program, flash, rawVideo, mp4,
        matroska, transport, soundFile, lossySoundFile, editList, exchange, theora, windows, nut,
    ]

    // MARK: What is drawn for all

    private static func pictures(_ codec: PictureRecipe.Codec, _ random: inout SplitMix) -> PictureRecipe {
        var recipe = PictureRecipe(codec: codec)
        (recipe.width, recipe.height) = codec.sizes[random.below(codec.sizes.count)]
        let rate = codec.rates[random.below(codec.rates.count)]
        recipe.rate = (rate.0, rate.1)
        recipe.count = [1, 2, 5, 13, 25, 30, 48, 60][random.below(8)]
        return recipe
    }

    private static func sound(_ codec: SoundRecipe.Codec, _ random: inout SplitMix) -> SoundRecipe {
        var recipe = SoundRecipe(codec: codec)
        recipe.sampleRate = codec.rates[random.below(codec.rates.count)]
        recipe.channels = 1 + random.below(codec.mostChannels)
        recipe.count = recipe.sampleRate / 2 + random.below(recipe.sampleRate * 2)
        return recipe
    }

    private static func draw<Value>(_ values: [Value], _ random: inout SplitMix) -> Value {
        values[random.below(values.count)]
    }

    /// Times of pictures that are not even; for containers that keep times.
    private mutating func disturbPictures(_ random: inout SplitMix) {
        guard var pictures, pictures.codec.ticks > 0, pictures.count >= 5 else { return }
        let ticks = pictures.codec.ticks
        let frame = ticks * pictures.rate.den / pictures.rate.num
        let half = pictures.count / 2
        switch random.below(6) {
        case 0:
            pictures.shift = ("mod(N*37,7)*15", { Int64($0 * 37 % 7 * 15) })
            note(.pictureJitter, "times of pictures up to 1 ms late")
        case 1:
            let gap = frame * Int64(2 + random.below(20)) + Int64(random.below(Int(frame)))
            pictures.shift = ("if(gte(N,\(half)),\(gap),0)", { $0 >= half ? gap : 0 })
            note(.pictureGap, "no pictures for \(gap) ticks before picture \(half)")
        case 2:
            pictures.shift = (
                "if(gte(N,\(half)),(N-\(half))*\(frame),0)", { $0 >= half ? Int64($0 - half) * frame : 0 }
            )
            note(.rateChange, "half the rate from picture \(half) on")
        case 3:
            for number in 1..<pictures.count - 1 where random.below(5) == 0 { pictures.dropped.insert(number) }
            if !pictures.dropped.isEmpty { note(.drops, "pictures left out: \(pictures.dropped.sorted())") }
        default: break
        }
        self.pictures = pictures
    }

    private mutating func disturbSound(_ random: inout SplitMix, gaps: Bool = true) {
        guard var sound else { return }
        switch random.below(5) {
        case 0 where gaps:
            let at = sound.count / 3
            let gap = sound.sampleRate * (30 + random.below(300)) / 1000
            sound.gap = (at, gap)
            note(.soundGap, "no sound for \(gap) samples behind \(at)")
        default: break
        }
        self.sound = sound
    }

    private mutating func offsetSound(_ random: inout SplitMix) {
        guard pictures != nil, sound != nil, random.below(3) == 0 else { return }
        // What is before zero is cut off by the edit list of MP4.
        let isMP4 = ["mp4", "mov", "3gp", "m4v"].contains { name.hasSuffix($0) }
        let offset = [0.25, 0.5, 0.04, 1.1, isMP4 ? 0.12 : -0.2][random.below(5)]
        sound?.offset = offset
        note(.offset, "sound \(offset) s after the pictures")
    }

    /// Tags that are right, but seldom.
    private mutating func tagPictures(_ random: inout SplitMix, aspect: Bool = true) {
        guard aspect, random.below(4) == 0 else { return }
        pictures?.pixelAspect = [(4, 3), (16, 15), (64, 45), (1, 2)][random.below(4)]
    }

    /// What every file may suffer.
    mutating func finish(_ random: inout SplitMix) {
        guard habits.isEmpty, random.below(12) == 0 else { return }
        let share = 50 + random.below(50)
        note(.cut, "the last \(100 - share) hundredths and a byte are missing")
        patches.append { bytes in bytes.removeLast(bytes.count * (100 - share) / 100 + 1) }
    }

    // MARK: Movies

    static func mp4(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: draw(["a.mp4", "a.mp4", "a.m4v", "a.3gp"], &random))
        switch recipe.name == "a.3gp" ? 3 : recipe.name == "a.m4v" ? 0 : random.below(3) {
        case 0, 1: recipe.pictures = pictures(PictureRecipe.h264(&random), &random)
        case 2:
            recipe.pictures = pictures(
                random.below(2) == 0 ? PictureRecipe.hevc(&random) : PictureRecipe.mpeg4(&random),
                &random
            )
        default: recipe.pictures = pictures(PictureRecipe.h263, &random)
        }
        if random.below(4) > 0 {
            let codecs: [SoundRecipe.Codec] =
                recipe.name == "a.mp4"
                ? [SoundRecipe.Codec.aac, .alac, .flac, .mp3, .opus, .ac3] : [SoundRecipe.Codec.aac]
            recipe.sound = sound(draw(codecs, &random), &random)
        }
        recipe.isSoundExact = ["AAC", "Opus"].contains(recipe.sound?.codec.name ?? "")
        recipe.muxing = ["-video_track_timescale", "90000"]
        if recipe.sound?.codec.name == "FLAC" { recipe.muxing += ["-strict", "-2"] }
        if recipe.pictures?.codec.name.hasPrefix("MPEG-4") ?? false {
            recipe.muxing += ["-video_track_timescale", "60000"]
        }
        recipe.disturbPictures(&random)
        recipe.offsetSound(&random)
        recipe.tagPictures(&random, aspect: recipe.name != "a.3gp")
        recipe.disturbBoxes(&random)
        return recipe
    }

    static func mov(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.mov")
        let codecs = [
            PictureRecipe.h264(&random), PictureRecipe.prores, PictureRecipe.mjpeg, PictureRecipe.qtrle,
            PictureRecipe.mpeg4(&random),
        ]
        recipe.pictures = pictures(draw(codecs, &random), &random)
        if random.below(4) > 0 {
            recipe.sound = sound(
                draw([SoundRecipe.Codec.pcm("pcm_s16le"), .pcm("pcm_s24be"), .pcm("pcm_f32le"), .aac, .alac], &random),
                &random
            )
        }
        recipe.isSoundExact = recipe.sound?.codec.name == "AAC"
        recipe.muxing = ["-video_track_timescale", "\(recipe.pictures?.codec.ticks == 90_000 ? 90_000 : 60_000)"]
        recipe.disturbPictures(&random)
        recipe.offsetSound(&random)
        recipe.tagPictures(&random)
        recipe.disturbBoxes(&random)
        return recipe
    }

    /// Headers that are wrong, and other ways to lay out the file.
    private mutating func disturbBoxes(_ random: inout SplitMix) {
        switch random.below(7) {
        case 0:
            note(.fragments, "fragments")
            muxing += ["-movflags", "+frag_keyframe+delay_moov"]
        case 1:
            note(.noDuration, "mvhd, tkhd and mdhd say no duration")
            patches.append { ISOMovie.patch(&$0) { $0.setDurations(0) } }
        case 2:
            note(.wrongDuration, "mvhd and tkhd say 77 ticks")
            patches.append { ISOMovie.patch(&$0) { $0.setDurations(77, inMedia: false) } }
        case 3:
            let turn = [90, 180, 270][random.below(3)]
            words.append("turned by \(turn) degrees")
            patches.append { ISOMovie.patch(&$0) { $0.setTurn(turn) } }
            let before = edit
            edit = { made in
                before?(&made)
                made.turn = turn
            }
        case 4: muxing += ["-movflags", "+faststart"]
        default: break
        }
    }

    /// Edit lists of several entries on the track of pictures, whole frames each.
    static func editList(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: random.below(2) == 0 ? "a.mp4" : "a.mov")
        var codec = PictureRecipe.h264(&random)
        codec.rates = [(25, 1), (24, 1), (30, 1), (50, 1)]
        var made = pictures(codec, &random)
        made.count = 30
        recipe.pictures = made
        recipe.muxing = ["-video_track_timescale", "90000", "-movie_timescale", "90000"]
        let frame = 90_000 * made.rate.den / made.rate.num
        // Each entry: the first picture, how many, and whether it is held.
        var entries: [(first: Int?, count: Int)] = []
        var last = 0
        for _ in 0..<1 + random.below(4) {
            switch random.below(4) {
            case 0: entries.append((nil, 1 + random.below(6)))
            default:
                let first = random.below(3) == 0 ? random.below(25) : min(last + random.below(4), 25)
                entries.append((first, 1 + random.below(30 - first)))
                last = first + entries[entries.count - 1].count
            }
        }
        if !entries.contains(where: { $0.first != nil }) { entries.append((3, 12)) }
        let words = entries.map { entry in (entry.first.map { "\($0)" } ?? "empty") + "+\(entry.count)" }
        recipe.note(.edits, "edit list of pictures \(words)")
        let list = entries
        recipe.patches.append { bytes in
            ISOMovie.patch(&bytes) { movie in
                let start = movie.firstMediaTime(of: "vide")
                movie.setEdits(
                    list.map { entry in
                        ISOMovie.Edit(
                            duration: Int64(entry.count) * frame,
                            mediaTime: entry.first.map { start + Int64($0) * frame } ?? -1
                        )
                    },
                    of: "vide"
                )
            }
        }
        recipe.edit = { made in
            var (numbers, times): ([Int], [Double]) = ([], [])
            var time = 0
            for entry in list {
                if let first = entry.first {
                    numbers += first..<first + entry.count
                    times += (time..<time + entry.count).map { Double(Int64($0) * frame) / 90_000 }
                }
                time += entry.count
            }
            made.numbers = numbers
            made.times = times.map { $0 - times[0] }
            let isEven = times.indices.allSatisfy { abs(made.times[$0] - Double(Int64($0) * frame) / 90_000) < 1e-9 }
            if !isEven { made.rate = nil }
        }
        if Set(entries.flatMap { entry in entry.first.map { Array($0..<$0 + entry.count) } ?? [] }).count
            < entries.reduce(0, { $0 + ($1.first == nil ? 0 : $1.count) })
        {
            recipe.note(.repeats, "some of them twice")
        }
        return recipe
    }

    static func matroska(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.mkv")
        let codecs = [
            PictureRecipe.h264(&random), PictureRecipe.ffv1, PictureRecipe.mpeg2(&random), PictureRecipe.hevc(&random),
            PictureRecipe.mjpeg, PictureRecipe.vp9, PictureRecipe.mpeg4(&random),
        ]
        if random.below(8) > 0 { recipe.pictures = pictures(draw(codecs, &random), &random) }
        if recipe.pictures == nil || random.below(4) > 0 {
            let codecs = [
                SoundRecipe.Codec.pcm("pcm_s16le"), .flac, .vorbis, .opus, .aac, .mp3, .ac3, .wavPack, .tta, .alac,
            ]
            recipe.sound = sound(draw(codecs, &random), &random)
        }
        recipe.isSoundExact = recipe.sound?.codec.name == "Opus"
        recipe.disturbPictures(&random)
        recipe.disturbSound(&random)
        recipe.offsetSound(&random)
        recipe.tagPictures(&random)
        recipe.disturbElements(&random)
        return recipe
    }

    static func webm(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.webm")
        if random.below(5) > 0 {
            recipe.pictures = pictures(random.below(2) == 0 ? PictureRecipe.vp8 : PictureRecipe.vp9, &random)
        }
        if recipe.pictures == nil || random.below(3) > 0 {
            recipe.sound = sound(random.below(2) == 0 ? SoundRecipe.Codec.opus : .vorbis, &random)
            recipe.isSoundExact = recipe.sound?.codec.name == "Opus"
        }
        recipe.disturbPictures(&random)
        if recipe.sound != nil, random.below(3) == 0 {
            let jitter = [0, 10, 20]
            recipe.sound?.jitter = [draw(jitter, &random), draw(jitter, &random), 0, draw(jitter, &random)]
            recipe.note(.soundJitter, "packets of sound \(recipe.sound?.jitter ?? []) ms late in turn")
        } else {
            recipe.disturbSound(&random)
            recipe.offsetSound(&random)
        }
        recipe.disturbElements(&random)
        return recipe
    }

    private mutating func disturbElements(_ random: inout SplitMix) {
        switch random.below(6) {
        case 0: note(.streamed, "written to a pipe")
        case 1:
            note(.noDuration, "no Duration, Cues or sizes (live)")
            muxing += ["-live", "1"]
        case 2 where pictures != nil:
            note(.wrongRate, "DefaultDuration says 40 ms")
            patches.append { bytes in Elements.setDefaultDuration(40_000_000, in: &bytes) }
        case 3:
            note(.laterStart, "all 3.5 s later")
            muxing += ["-output_ts_offset", "3.5"]
        default: break
        }
    }

    static func transport(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: draw(["a.ts", "a.ts", "a.m2ts"], &random))
        let codecs = [PictureRecipe.h264(&random), PictureRecipe.mpeg2(&random), PictureRecipe.hevc(&random)]
        if random.below(8) > 0 { recipe.pictures = pictures(draw(codecs, &random), &random) }
        // Of fewer packets libavformat does not know a transport stream.
        if let count = recipe.pictures?.count, count < 13 { recipe.pictures?.count = 13 }
        if recipe.pictures == nil || random.below(4) > 0 {
            recipe.sound = sound(draw([SoundRecipe.Codec.aac, .mp2, .ac3, .mp3], &random), &random)
        }
        recipe.disturbPictures(&random)
        recipe.offsetSound(&random)
        switch random.below(4) {
        case 0:
            let before = Double(random.below(1500)) / 1000
            recipe.note(.wrap, "times run through 2^33 after \(before) s")
            recipe.muxing += ["-output_ts_offset", "\(95_443.717_688_888_89 - 1.4 - before)", "-muxpreload", "0"]
        case 1:
            recipe.note(.laterStart, "all 1000 s later")
            recipe.muxing += ["-output_ts_offset", "1000"]
        default: break
        }
        return recipe
    }

    static func program(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: draw(["a.mpg", "a.vob"], &random))
        recipe.pictures = pictures(random.below(2) == 0 ? PictureRecipe.mpeg1 : PictureRecipe.mpeg2(&random), &random)
        if random.below(3) > 0 { recipe.sound = sound(draw([SoundRecipe.Codec.mp2, .ac3], &random), &random) }
        recipe.sound?.sampleRate = 48_000
        recipe.offsetSound(&random)
        recipe.habits.insert(.noTimes)
        return recipe
    }

    static func avi(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.avi")
        let codecs = [
            PictureRecipe.mpeg4(&random), PictureRecipe.mjpeg, PictureRecipe.ffv1, PictureRecipe.raw,
            PictureRecipe.h264(&random, isRaw: true),
        ]
        recipe.pictures = pictures(draw(codecs, &random), &random)
        if random.below(3) > 0 {
            recipe.sound = sound(
                draw([SoundRecipe.Codec.pcm("pcm_s16le"), .pcm("pcm_u8"), .mp3, .ac3], &random),
                &random
            )
            if recipe.sound?.codec.name == "pcm_u8" { recipe.sound?.codec.isLossless = false }
        }
        recipe.editSound = { if !$0.isLossless { $0.start = nil } }
        // Where priming begins before the pictures, the muxer writes empty chunks for the wait.
        if recipe.sound.map({ !$0.codec.isLossless }) ?? false {
            recipe.edit = { made in
                made.times = []
                made.rate = nil
            }
        }
        if random.below(4) == 0 { recipe.note(.streamed, "written to a pipe") }
        recipe.habits.insert(.noTimes)
        return recipe
    }

    static func flash(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.flv")
        if random.below(6) > 0 {
            recipe.pictures = pictures(
                random.below(2) == 0 ? PictureRecipe.h264(&random) : PictureRecipe.spark,
                &random
            )
        }
        if recipe.pictures == nil || random.below(3) > 0 {
            recipe.sound = sound(random.below(2) == 0 ? SoundRecipe.Codec.aac : .mp3, &random)
            if recipe.sound?.codec.name == "MP3" { recipe.sound?.sampleRate = 44_100 }
        }
        recipe.disturbPictures(&random)
        recipe.disturbSound(&random)
        recipe.offsetSound(&random)
        if random.below(3) == 0 { recipe.note(.streamed, "written to a pipe") }
        return recipe
    }

    static func exchange(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.mxf")
        recipe.pictures = pictures(PictureRecipe.mpeg2(&random, ["-pix_fmt", "yuv422p"]), &random)
        recipe.pictures?.rate = draw([(25, 1), (30_000, 1001), (24, 1)], &random)
        recipe.pictures?.codec.format = "yuv422p"
        if random.below(3) > 0 {
            recipe.sound = sound(draw([SoundRecipe.Codec.pcm("pcm_s16le"), .pcm("pcm_s24le")], &random), &random)
            recipe.sound?.sampleRate = 48_000
            // The muxer writes as much sound as there is picture.
            let rate: (num: Int64, den: Int64) = recipe.pictures?.rate ?? (25, 1)
            let half = Int(rate.num) / 2
            recipe.sound?.count = ((recipe.pictures?.count ?? 0) * 48_000 * Int(rate.den) + half) / Int(rate.num)
        }
        return recipe
    }

    static func windows(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: draw(["a.asf", "a.wmv"], &random))
        recipe.pictures = pictures(PictureRecipe.wmv2, &random)
        if random.below(3) > 0 { recipe.sound = sound(draw([SoundRecipe.Codec.wma, .mp3], &random), &random) }
        recipe.offsetSound(&random)
        return recipe
    }

    static func nut(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.nut")
        recipe.pictures = pictures(random.below(2) == 0 ? PictureRecipe.ffv1 : PictureRecipe.h264(&random), &random)
        recipe.sound = sound(draw([SoundRecipe.Codec.pcm("pcm_s16le"), .flac, .mp3], &random), &random)
        recipe.disturbPictures(&random)
        recipe.offsetSound(&random)
        return recipe
    }

    static func theora(_ random: inout SplitMix) -> UntidyRecipe {
        var recipe = UntidyRecipe(name: "a.ogv")
        recipe.pictures = pictures(PictureRecipe.theora, &random)
        if random.below(3) > 0 {
            recipe.sound = sound(draw([SoundRecipe.Codec.vorbis, .opus, .flac], &random), &random)
            // The priming moves the pictures, which have no time between two frames.
            recipe.tolerance = 0.05
        }
        return recipe
    }

    static func rawVideo(_ random: inout SplitMix) -> UntidyRecipe {
        let kinds: [(String, PictureRecipe.Codec)] = [
            ("a.h264", PictureRecipe.h264(&random, isRaw: true)), ("a.hevc", PictureRecipe.hevc(&random)),
            ("a.m4v", PictureRecipe.mpeg4(&random)), ("a.m2v", PictureRecipe.mpeg2(&random)),
            ("a.ivf", PictureRecipe.vp8),
            ("a.ivf", PictureRecipe.vp9), ("a.y4m", PictureRecipe.Codec(name: "raw", arguments: [])),
        ]
        var (name, codec) = draw(kinds, &random)
        // A raw stream of HEVC is read at 25 unless its VUI says more, and ours says it.
        codec.ticks = 0
        var recipe = UntidyRecipe(name: name)
        recipe.pictures = pictures(codec, &random)
        recipe.habits.insert(.noTimes)
        if name == "a.m4v" { recipe.muxing = ["-f", "m4v"] }
        return recipe
    }

    // MARK: Sound alone

    static func soundFile(_ random: inout SplitMix) -> UntidyRecipe {
        let kinds: [(String, SoundRecipe.Codec, [String])] = [
            ("a.wav", SoundRecipe.Codec.pcm("pcm_s16le"), []), ("a.wav", .pcm("pcm_s24le"), []),
            ("a.wav", .pcm("pcm_f32le"), []),
            ("a.wav", .pcm("pcm_s16le"), ["-rf64", "always"]), ("a.w64", .pcm("pcm_s16le"), []),
            ("a.aiff", .pcm("pcm_s16be"), []), ("a.aiff", .pcm("pcm_s24be"), []), ("a.caf", .pcm("pcm_s16le"), []),
            ("a.caf", .alac, []), ("a.au", .pcm("pcm_s16be"), []), ("a.flac", .flac, []), ("a.ogg", .flac, []),
            ("a.m4a", .alac, []), ("a.mka", .flac, []), ("a.wv", .wavPack, []), ("a.tta", .tta, []),
            ("a.mov", .pcm("pcm_s24le"), []),
            ("a.wav", .pcm("pcm_s32le"), ["-write_bext", "1"]), ("a.nut", .flac, []),
        ]
        let (name, codec, muxing) = draw(kinds, &random)
        var recipe = UntidyRecipe(name: name)
        recipe.sound = sound(codec, &random)
        recipe.muxing = muxing
        if random.below(6) == 0 { recipe.sound?.count = [1, 100, 1023, 4097][random.below(4)] }
        if name == "a.w64" {
            // Chunks are as long as whole eights of bytes, and the muxer counts the filling too.
            recipe.editSound = { made in
                let frame = 2 * made.channels
                made.count = (made.samples.count * frame + 7) / 8 * 8 / frame
            }
        }
        if ["a.wav", "a.flac", "a.au", "a.w64", "a.ogg"].contains(name), muxing.isEmpty, random.below(3) == 0 {
            recipe.note(.streamed, "written to a pipe")
        }
        return recipe
    }

    static func lossySoundFile(_ random: inout SplitMix) -> UntidyRecipe {
        let kinds: [(String, SoundRecipe.Codec, Bool)] = [
            ("a.mp3", SoundRecipe.Codec.mp3, true), ("a.mp3", .mp3, true), ("a.aac", .aac, false),
            ("a.m4a", .aac, true),
            ("a.ogg", .vorbis, true), ("a.opus", .opus, true), ("a.ac3", .ac3, false), ("a.mp2", .mp2, false),
            ("a.webm", .opus, true), ("a.mka", .vorbis, false), ("a.wav", .muLaw, true), ("a.au", .muLaw, true),
            ("a.m4a", .aac, true), ("a.mp4", .opus, true),
        ]
        let (name, codec, isExact) = draw(kinds, &random)
        var recipe = UntidyRecipe(name: name)
        recipe.sound = sound(codec, &random)
        recipe.isSoundExact = isExact
        if random.below(6) == 0 { recipe.sound?.count = [1, 100, 1023, 4097][random.below(4)] }
        recipe.editSound = { if !isExact { $0.start = nil } }
        switch (name, random.below(4)) {
        case ("a.mp3", 0):
            recipe.note(.noDuration, "no Xing header")
            recipe.muxing = ["-write_xing", "0"]
            recipe.isSoundExact = false
            recipe.editSound = { $0.start = nil }
        case ("a.mp3", 1):
            recipe.note(.tags, "an APE tag and an ID3v1 tag behind the sound")
            recipe.patches.append { $0 += Array("APETAGEX".utf8) + [UInt8](repeating: 0, count: 300) }
            recipe.patches.append { $0 += Array("TAG".utf8) + [UInt8](repeating: 32, count: 125) }
        case ("a.mp3", 2):
            recipe.note(.tags, "an ID3v2 tag of 3000 bytes before the sound")
            recipe.patches.append {
                $0 = Array("ID3".utf8) + [3, 0, 0, 0, 0, 23, 56] + [UInt8](repeating: 0, count: 3000) + $0
            }
        case ("a.ogg", 0), ("a.opus", 0): recipe.note(.streamed, "written to a pipe")
        case ("a.m4a", 0):
            recipe.note(.gaplessNote, "iTunSMPB beside the edit list")
            let count = recipe.sound?.count ?? 0
            recipe.patches.append { bytes in
                ISOMovie.patch(&bytes) { $0.addGaplessNote(priming: 1024, count: count) }
            }
        case ("a.m4a", 1):
            recipe.note(.gaplessNote, "iTunSMPB without an edit list")
            recipe.muxing = ["-use_editlist", "0"]
            let count = recipe.sound?.count ?? 0
            recipe.patches.append { bytes in
                ISOMovie.patch(&bytes) { $0.addGaplessNote(priming: 1024, count: count) }
            }
        case ("a.webm", 0), ("a.mka", 0):
            recipe.sound?.jitter = [0, 10, 20]
            recipe.note(.soundJitter, "packets of sound 0, 10 and 20 ms late in turn")
        default: break
        }
        return recipe
    }
}
