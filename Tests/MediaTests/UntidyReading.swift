import CompositionModel
import Foundation
import Media
import TestSupport
import Timing

/// Our reading of one untidy file, held against what was made and against FFmpeg's.
struct UntidyReading {
    /// The rules of docs/media.md, “Where FFmpeg reads otherwise”.
    enum Rule: String {
        case cutIsRefused = "cut-is-refused"
        case orderOfDecoding = "order-of-decoding"
        case holeIsSilence = "hole-is-silence"
        case editEndsSound = "edit-ends-sound"
        case editListIsLibavformats = "edit-list-is-libavformats"
        case noteEndsSound = "note-ends-sound"
        case fragmentsHidePriming = "fragments-hide-priming"
        case blocksFollow = "blocks-follow"
        case refusedIsSilence = "refused-is-silence"
        case nothingIsHeard = "nothing-is-heard"
        case lengthIsMissing = "length-is-missing"
    }

    /// Classes of files that are not read as they should be, listed in docs/media.md, “Known limits”.
    enum Limit: String {
        case editLists = "libavformat misreads an edit list of several parts"
        case trueAudio = "Matroska does not say how long the last packet of TTA is"
    }

    private(set) var rules: Set<Rule> = []
    private(set) var limit: Limit?
    private(set) var differences: [String] = []
    private let file: UntidyFile

    init(_ file: UntidyFile, in folder: URL) async throws {
        self.file = file
        let source = try FileByteSource(path: file.path)
        let probed = Result { () throws(MediaError) in try AssetProbe.probe(source) }
        switch probed {
        case .failure(let error): try await refused(error, in: folder)
        case .success(let found): try await compare(found.facts, found.indexes, source, in: folder)
        }
    }

    private mutating func compare(
        _ facts: AssetFacts,
        _ indexes: [FrameIndex],
        _ source: FileByteSource,
        in folder: URL
    ) async throws {
        let ffmpeg = try await FFmpegReading(
            file.path,
            format: facts.defaultVideo?.pixelFormat,
            hasSound: facts.defaultAudio != nil,
            in: folder
        )
        if (facts.defaultVideo == nil) != (file.pictures == nil) { differ("pictures: \(facts.video.count) streams") }
        if facts.defaultAudio == nil, file.habits.contains(.cut), ffmpeg.frames.allSatisfy({ $0.nb_samples == nil }) {
            if file.sound != nil { rules.insert(.nothingIsHeard) }
        } else if (facts.defaultAudio == nil) != (file.sound == nil) {
            differ("sound: \(facts.audio.count) streams")
        }
        if let stream = facts.defaultVideo, let made = file.pictures, let index = indexes.first {
            try compare(stream, index, source, made, ffmpeg)
        }
        if let stream = facts.defaultAudio, let made = file.sound {
            try compare(stream, source, made, ffmpeg)
        }
    }

    private mutating func differ(_ text: String) { differences.append(text) }

    private mutating func refused(_ error: MediaError, in folder: URL) async throws {
        let failure = error.failure
        if file.habits.contains(.cut), ["asset_truncated", "asset_not_media"].contains(failure.code) {
            rules.insert(.cutIsRefused)
            return
        }
        let ffmpeg = try await FFmpegReading(file.path, format: nil, hasSound: true, in: folder)
        if file.habits.contains(.streamed), file.path.hasSuffix(".w64"), ffmpeg.streams.isEmpty {
            rules.insert(.lengthIsMissing)
        } else if failure.code == "asset_not_media", isMovie, file.pictures == nil, ffmpeg.samples.isEmpty,
            file.sound.map({ $0.samples.count <= 100 }) ?? false
        {
            rules.insert(.nothingIsHeard)
        } else {
            if isTrueAudioInMatroska { limit = .trueAudio }
            differ("refused: \(failure.code) \(failure.message)")
        }
    }

    private var isMovie: Bool { ["mp4", "m4a", "mov", "3gp", "m4v"].contains((file.path as NSString).pathExtension) }
    private var isOggVorbis: Bool { file.path.contains(".og") && file.words.contains(", Vorbis") }
    private var isTrueAudioInMatroska: Bool { file.path.hasSuffix(".mkv") && file.words.contains(", TTA") }

    // MARK: Pictures

    private mutating func compare(
        _ stream: VideoStreamFacts,
        _ index: FrameIndex,
        _ source: FileByteSource,
        _ made: MadePictures,
        _ ffmpeg: FFmpegReading
    ) throws {
        if file.habits.contains(.edits), !isListRead(made, ffmpeg) {
            limit = .editLists
            rules.insert(.editListIsLibavformats)
        }
        var numbers: [Int] = []
        var digests: [ContentDigest] = []
        let reader = try PictureReader(source: source, stream: stream, index: index, threads: 1)
        do {
            for frame in 0..<Int(stream.frameCount) {
                let picture = try reader.picture(frame: frame)
                digests.append(picture.digest())
                numbers.append(try number(picture))
            }
        } catch let error as MediaError {
            differ("picture \(numbers.count): \(error.failure.message)")
            return
        }
        if made.isWhole, limit != .editLists {
            if numbers != made.numbers { differ("pictures \(numbers), not \(made.numbers)") }
            compareTimes(stream, made)
        } else if !made.isWhole, numbers != numbers.sorted() || !Set(numbers).isSubset(of: made.numbers) {
            differ("pictures \(numbers), which are no part of \(made.numbers)")
        }
        if stream.width != made.width || stream.height != made.height {
            differ("size \(stream.width)×\(stream.height)")
        }
        let aspect = (stream.pixelAspect.numerator, stream.pixelAspect.denominator)
        if aspect != made.pixelAspect { differ("pixel aspect \(aspect), not \(made.pixelAspect)") }
        if stream.orientation.degrees != made.turn || stream.orientation.isMirrored {
            differ("turned by \(stream.orientation.degrees), not \(made.turn)")
        }
        compare(stream, index, digests, ffmpeg)
        try compareJumps(stream, index, source, digests)
    }

    /// Whether libavformat shows as many pictures as the edit list asks for, and when it asks for them.
    private func isListRead(_ made: MadePictures, _ ffmpeg: FFmpegReading) -> Bool {
        guard let stream = ffmpeg.first("video") else { return false }
        let times = ffmpeg.frames(of: stream).compactMap { $0.pts.map { Double($0) * stream.tick } }
        guard let first = times.first, times.count == made.times.count else { return false }
        return zip(times, made.times).allSatisfy { abs($0 - first - $1) <= made.tolerance }
    }

    private func number(_ picture: Picture) throws -> Int {
        let plain = try PictureConverter().convert(
            picture,
            toWidth: picture.width,
            height: picture.height,
            color: .bt709
        )
        return plain.withPlane(0) { plane in
            NumberedFrames.number(
                width: picture.width,
                height: picture.height,
                luma: { x, y in Int(plane.row(y)[x]) },
                middle: 125
            )
        }
    }

    private mutating func compareTimes(_ stream: VideoStreamFacts, _ made: MadePictures) {
        if made.times.isEmpty { return }
        if stream.isVariableRate == (made.rate != nil) {
            differ(
                "variable rate: \(stream.isVariableRate), rate \(stream.frameRate), made at \(made.rate.map { "\($0)" } ?? "none")"
            )
        }
        let ours = Double(stream.frameRate.numerator) / Double(stream.frameRate.denominator)
        // Of a few pictures in whole milliseconds no more can be known.
        if let rate = made.rate, made.times.count > 1, let last = made.times.last,
            abs(1 / ours - Double(rate.1) / Double(rate.0)) * Double(made.times.count - 1) > made.tolerance
                * (last > 0.5 ? 1 : 2)
        {
            differ("rate \(stream.frameRate), not \(rate)")
        }
        for (frame, time) in made.times.enumerated() {
            guard let ours = try? stream.time(ofFrame: Int64(frame)) else { continue }
            let found = Double(ours.numerator) / Double(ours.denominator)
            guard abs(found - time) > made.tolerance + 1e-9 else { continue }
            return differ("picture \(frame) at \(found) s, not \(time)")
        }
    }

    private mutating func compare(
        _ stream: VideoStreamFacts,
        _ index: FrameIndex,
        _ digests: [ContentDigest],
        _ ffmpeg: FFmpegReading
    ) {
        guard let theirs = ffmpeg.first("video") else { return differ("ffprobe finds no pictures") }
        let frames = ffmpeg.frames(of: theirs)
        if theirs.width != stream.width || theirs.height != stream.height { differ("ffprobe: \(theirs)") }
        let bytes = ffmpeg.pictures.count / max(frames.count, 1)
        let decoded = frames.indices.map {
            ContentDigest(of: ffmpeg.pictures.dropFirst($0 * bytes).prefix(bytes))
        }
        if decoded != digests {
            differ(
                "ffmpeg decodes \(frames.count) pictures, of which \(Set(decoded).intersection(digests).count) are among our \(digests.count)"
            )
        }
        let times = frames.compactMap(\.pts)
        guard let first = times.first, times.count == frames.count else {
            rules.insert(.orderOfDecoding)
            return
        }
        let ours = index.shown.map { $0 - index.shown[0] }
        if times.map({ $0 - first }) != ours { differ("ffprobe's times \(times.map { $0 - first }), ours \(ours)") }
    }

    /// Pictures in an order that makes the reader seek.
    private mutating func compareJumps(
        _ stream: VideoStreamFacts,
        _ index: FrameIndex,
        _ source: FileByteSource,
        _ digests: [ContentDigest]
    ) throws {
        let reader = try PictureReader(source: source, stream: stream, index: index, threads: 1)
        var random = SplitMix(seed: UInt64(file.seed))
        for _ in 0..<4 {
            let frame = random.below(digests.count)
            do {
                guard try reader.picture(frame: frame).digest() != digests[frame] else { continue }
                return differ("picture \(frame) is another one after a jump")
            } catch {
                return differ("picture \(frame) after a jump: \(error.failure.message)")
            }
        }
    }

    // MARK: Sound

    private mutating func compare(
        _ stream: AudioStreamFacts,
        _ source: FileByteSource,
        _ made: MadeSound,
        _ ffmpeg: FFmpegReading
    ) throws {
        let reader = try SoundReader(source: source, stream: stream)
        var channels = [[Float]](repeating: [], count: stream.channels)
        while let block = try reader.next() {
            for channel in channels.indices { channels[channel] += block.channels[channel] }
        }
        if stream.sampleRate != made.sampleRate || stream.channels != made.channels {
            return differ("sound of \(stream.channels) channels at \(stream.sampleRate) Hz")
        }
        if channels[0].count != Int(stream.sampleCount) {
            differ("\(channels[0].count) samples of \(stream.sampleCount)")
        }
        if isTrueAudioInMatroska { limit = .trueAudio }
        if made.isWhole, let count = made.count,
            abs(count - Int(stream.sampleCount)) > (made.gap == nil ? 0 : slack(made)),
            endOfEdits.map({ $0 != stream.sampleCount || abs(Int($0) - count) > 1100 }) ?? true
        {
            differ("\(stream.sampleCount) samples, not \(count); the edit list says \(endOfEdits ?? -1)")
        }
        if made.isWhole, !reader.damage.isEmpty, made.gap == nil { differ("damage at \(reader.damage.ranges)") }
        comparePlace(stream, channels[0], made)
        compare(stream, channels, ffmpeg, reader.damage)
    }

    /// The samples by which a container's ticks may move a time.
    private func slack(_ made: MadeSound) -> Int { Int((made.tolerance * Double(made.sampleRate)).rounded(.up)) + 2 }

    private mutating func comparePlace(_ stream: AudioStreamFacts, _ ours: [Float], _ made: MadeSound) {
        guard let start = made.start, ours.count > 0 else { return }
        let zero = file.pictures == nil ? 0 : Double(stream.start.numerator) / Double(stream.start.denominator)
        let begins = (zero - start) * Double(made.sampleRate)
        // Sample i of ours is sample i + shift of what was made.
        let slack = slack(made)
        let expected = Int(begins.rounded())
        guard let shift = ours.shift(in: made.samples, near: expected, by: slack + 1500) else { return }
        if abs(shift - expected) > slack {
            differ("sound is heard \(shift - expected) samples early (of \(made.sampleRate))")
        }
        guard made.isLossless, shift >= 0 else { return }
        compareLossless(ours, made, shift)
    }

    private mutating func compareLossless(_ ours: [Float], _ made: MadeSound, _ shift: Int) {
        let source = made.samples.dropFirst(shift).map { Float($0) / 32768 }
        if zip(ours, source).allSatisfy({ $0 == $1 }) { return }
        let place = zip(ours, source).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        if let gap = made.gap, place >= gap.at, place < gap.at + 65_536 {
            let silence = ours[place...].prefix { $0 == 0 }.count
            let lengths = max(gap.count - slack(made), 0)...gap.count + slack(made)
            // Samples before and behind the hole may be 0 too.
            for length in lengths where length <= silence {
                if zip(ours[(place + length)...], source[place...]).allSatisfy({ $0 == $1 }) { return }
            }
        }
        differ("sample \(place) of lossless sound is another one")
    }

    private mutating func compare(
        _ stream: AudioStreamFacts,
        _ ours: [[Float]],
        _ ffmpeg: FFmpegReading,
        _ damage: SoundDamage
    ) {
        guard let theirs = ffmpeg.first("audio") else { return differ("ffprobe finds no sound") }
        let (placed, hasHoles) = placed(ffmpeg, theirs, stream)
        let count = placed[0].count
        if hasHoles { rules.insert(.holeIsSilence) }
        if count > stream.sampleCount {
            if let end = endOfEdits, end == stream.sampleCount {
                rules.insert(.editEndsSound)
            } else if file.habits.contains(.fragments), file.sound?.count == Int(stream.sampleCount) {
                rules.insert(.editEndsSound)
            } else if file.habits.contains(.gaplessNote), file.sound?.count == Int(stream.sampleCount) {
                rules.insert(.noteEndsSound)
            } else {
                differ(
                    "ffmpeg's sound is \(count) samples, ours \(stream.sampleCount), the edit list says \(endOfEdits ?? -1)"
                )
            }
        } else if count < stream.sampleCount, file.habits.contains(.cut), isSilentDamage(ours, from: count, damage) {
            rules.insert(.refusedIsSilence)
        } else if count < stream.sampleCount {
            differ("ffmpeg's sound is \(count) samples, ours \(stream.sampleCount)")
        }
        for channel in ours.indices {
            let pairs = zip(ours[channel], placed[channel])
            guard let place = pairs.enumerated().first(where: { $1.0 != $1.1 })?.offset else { continue }
            return differ("sample \(place) of channel \(channel) is not ffmpeg's")
        }
    }

    /// Whether all from a sample on is silent, and reported.
    private func isSilentDamage(_ ours: [[Float]], from start: Int, _ damage: SoundDamage) -> Bool {
        let isReported = damage.ranges.contains {
            $0.lowerBound <= Int64(start) && $0.upperBound >= Int64(ours[0].count)
        }
        return isReported && ours.allSatisfy { $0[start...].allSatisfy { $0 == 0 } }
    }

    /// ffmpeg's sound, each frame where its time says: what is off by less than a hundredth of a second, or two ticks, is
    /// rounding; and with jitter what was made to jitter.
    private mutating func placed(
        _ ffmpeg: FFmpegReading,
        _ theirs: FFmpegReading.Stream,
        _ stream: AudioStreamFacts
    ) -> (channels: [[Float]], hasHoles: Bool) {
        let frames = ffmpeg.frames(of: theirs)
        let rate = Double(stream.sampleRate)
        var tolerance = max(rate / 100, 2 * (theirs.tick * rate).rounded(.down) + 2)
        if file.habits.contains(.soundJitter) { tolerance = max(tolerance, 0.022 * rate) }
        let origin = frames.first { $0.pts != nil }?.pts ?? 0
        var channels = [[Float]](repeating: [], count: stream.channels)
        var (read, expected, hasHoles) = (0, 0, false)
        for frame in frames {
            let count = min(frame.nb_samples ?? 0, ffmpeg.samples.count / stream.channels - read)
            var start = expected
            if let pts = frame.pts {
                let wanted = Int((Double(pts - origin) * theirs.tick * rate).rounded())
                if isOggVorbis, wanted - start == 448 {
                    rules.insert(.blocksFollow)
                } else if abs(Double(wanted - start)) > tolerance {
                    start = wanted
                }
            }
            if start != expected { hasHoles = true }
            for channel in channels.indices {
                let delivered = channels[channel].count
                if start > delivered { channels[channel] += [Float](repeating: 0, count: start - delivered) }
                let skipped = max(0, delivered - start)
                guard skipped < count else { continue }
                channels[channel] += (skipped..<count).map { ffmpeg.samples[(read + $0) * stream.channels + channel] }
            }
            expected = start + count
            read += count
        }
        if isMovie, file.habits.contains(.fragments), origin < 0 {
            rules.insert(.fragmentsHidePriming)
            let priming = Int((Double(-origin) * theirs.tick * rate).rounded())
            channels = channels.map { Array($0.dropFirst(priming)) }
        }
        return (channels, hasHoles)
    }

    /// The samples that the edit list of the sound wants heard, from the bytes of the file (ISO/IEC 14496-12, 8.6.6).
    private var endOfEdits: Int64? {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: file.path)) else { return nil }
        return ISOMovie([UInt8](bytes)).endOfSound
    }
}

extension [Float] {
    /// The shift by which these samples fit best into `samples`: this one's sample i is the other's i + shift.
    func shift(in samples: [Int16], near expected: Int, by slack: Int) -> Int? {
        let length = Swift.min(count, samples.count, 1500)
        let start = Swift.max(0, -(expected - slack))
        guard start + length <= count else { return nil }
        var best: (shift: Int, value: Float)?
        withUnsafeBufferPointer { own in
            samples.withUnsafeBufferPointer { other in
                for shift in expected - slack...expected + slack {
                    var sum: Float = 0
                    for place in start..<start + length {
                        let target = place + shift
                        guard target >= 0, target < other.count else { continue }
                        sum += own[place] * Float(other[target])
                    }
                    if best.map({ sum > $0.value }) ?? true { best = (shift, sum) }
                }
            }
        }
        return best?.shift
    }
}
