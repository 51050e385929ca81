import Foundation
import Ingest
import Shared

/// A media file whose frames and samples are taken without an edit. Times go straight to its own frames, and what is
/// said speaks of the file.
struct PlainFile: Sendable {
    /// As the user gave it.
    let path: String
    let facts: AssetFacts

    /// Of its tracks of sound, that was asked for; nil is the usual one.
    private let track: Int?

    var stream: VideoStreamFacts? { facts.defaultVideo }
    /// That is heard.
    var sound: AudioStreamFacts? { track.map { facts.audio[$0] } ?? facts.defaultAudio }

    /// - Parameter track: the sound that is heard, such as `audio/1`.
    /// - Throws: ``CommandFailure`` for a file that cannot be read, or that has neither picture nor sound, or not this
    ///   one.
    init(_ path: String, probe: LocalProbe, track: String? = nil) async throws {
        self.path = path
        facts = try await probe.asset(path, named: path).facts
        guard !facts.video.isEmpty || !facts.audio.isEmpty else {
            throw CommandFailure(.usage, "\(path) has no picture and no sound, so it has no frames and no samples.")
        }
        self.track = try track.map { [facts] track in try SoundTrackChoice(facts, of: path).number(track) }
    }

    /// The edit that stands for it where a timeline is needed.
    /// - Throws: ``CommandFailure``, also where none of `wanted` is in it.
    func edit(for wanted: LocalPictures.Wanted) throws -> EditFile {
        guard wanted == .frames || !facts.audio.isEmpty else {
            throw CommandFailure(.usage, "There is no sound in \(path), so it has no samples.")
        }
        guard let stream, wanted != .sound else {
            guard wanted != .frames else {
                throw CommandFailure(.usage, "\(path) has no picture, so it has no frames.")
            }
            return try edit(.sound, ownSound())
        }
        if stream.isStill { return try edit(.picture) }
        let sound = try wanted == .frames ? MediaSound.none : ownSound()
        let isPossible = Limits.frameRates.contains(readRate.framesPerSecond)
        guard stream.isVariableRate || !isPossible else { return try edit(.movie(nil), sound) }
        return try edit(.movie(isPossible ? readRate : try FrameRate(25)), sound)
    }

    /// Each channel as it is, as far as an edit has so many.
    private func ownSound() throws -> MediaSound {
        let channels = sound?.channels ?? 2
        guard Limits.channels.contains(channels) else {
            let known = "at most \(Limits.channels.upperBound) are heard as they are"
            let way = "in an edit, \"channels\" of a segment says what is heard of them"
            throw CommandFailure(.usage, "\(path) has \(channels) channels of sound, and \(known); \(way).")
        }
        if let track, let sound {
            let isRate = Limits.sampleRates.contains(sound.sampleRate)
            return .track(track, channels: channels, sampleRate: isRate ? sound.sampleRate : nil)
        }
        return channels > 2 ? .each(channels) : .usual
    }

    /// The edit for a farm whose frame n, in the order of `frames`, is the file's frame of that number; with the
    /// numbers that are to be ordered.
    func edit(showing frames: [Int64]) throws -> (file: EditFile, frames: [Int64]) {
        guard let stream, !stream.isStill else { return (try edit(for: .frames), frames) }
        let isSame = !stream.isVariableRate && Limits.frameRates.contains(stream.frameRate.framesPerSecond)
        return isSame ? (try edit(for: .frames), frames) : (try edit(.frames(frames)), frames.indices.map { Int64($0) })
    }

    private func edit(_ view: MediaView, _ sound: MediaSound = .none) throws -> EditFile {
        do {
            return try EditFile(showing: path, view, sound: sound)
        } catch {
            throw CommandFailure(.usage, "\(path) cannot be shown: \(error)")
        }
    }

    /// Of the timeline on which all of it is read.
    var readRate: FrameRate { stream.map(\.readRate) ?? FrameRate.common[2] }

    /// Its own size where one is possible without resampling: also with odd sides.
    private func ownSize(_ stream: VideoStreamFacts) -> PictureSize? {
        stream.pixelAspect == RationalTime(whole: 1) ? stream.displaySize : nil
    }

    /// What is to be known of how its frames are handed out.
    /// - Parameters:
    ///   - isRead: all frames one after the other.
    ///   - isOnFarm: a farm makes them, from an edit.
    func notes(isRead: Bool, isOnFarm: Bool, size: PictureSize) -> [String] {
        guard let stream else { return [] }
        var notes: [String] = []
        if isRead, stream.isVariableRate {
            let lost = stream.lostFrames(at: readRate)
            let all = Count.of(stream.frameCount, "frame")
            let loss = lost == 0 ? "no frame is lost" : "\(lost) of its \(all) are lost"
            notes.append("its rate varies; it is read at \(readRate) frames per second: \(loss), others may repeat")
        }
        let made = isOnFarm ? size : ownSize(stream) ?? size
        if made != stream.displaySize {
            let own = "\(stream.displaySize.width)x\(stream.displaySize.height)"
            notes.append("\(own) is made \(made.width)x\(made.height), because both sides have to be even here")
        }
        return notes.map { "\(path): note: \($0)" }
    }

    /// What is to be known of how its samples are handed out, and what it lacks.
    /// - Parameter sampleRate: at which they are.
    func soundNotes(sampleRate: Int) -> [String] {
        guard let sound else { return [] }
        var notes = track == nil ? SoundTrackChoice(facts, of: path).notes : []
        if sound.sampleRate != sampleRate { notes.append("its \(sound.sampleRate) Hz are heard at \(sampleRate) Hz") }
        let flaws = sound.flawWords.map { ["\(path): warning: \($0)"] } ?? []
        return flaws + notes.map { "\(path): note: \($0)" }
    }
}

// Its samples.
extension PlainFile {
    /// The task whose channels are the file's.
    func task(_ base: SoundTask) -> SoundTask {
        var task = base
        if let sound, sound.channels > 2, sound.channels == base.channels {
            task.speakers = ChannelLayout(description: sound.channelLayout, count: sound.channels)?.speakers
        }
        return task
    }

    /// The task that has exactly the samples of `range`, or all up to the last one: a timeline is as long as its
    /// frames.
    /// - Parameter base: of the whole timeline of ``LocalPictures/Wanted/sound``.
    func task(_ base: SoundTask, alone range: TimeRange?) throws -> SoundTask {
        var task = task(base)
        guard let range else {
            let end = base.tracks.flatMap(\.segments).map { $0.start + $0.count }.max() ?? base.sampleCount
            task.sampleCount = max(1, min(base.sampleCount, end))
            return task
        }
        let unit = try RationalTime(1, Int64(base.sampleRate))
        let end = try range.start.adding(range.duration).count(of: unit).value
        task.firstSample = try range.start.count(of: unit).value
        task.sampleCount = end - task.firstSample
        guard task.sampleCount > 0 else {
            throw CommandFailure(.usage, "--range is shorter than a sample of \(path).")
        }
        return task
    }
}

// Its frames as picture tasks.
extension PlainFile {
    /// The task whose frame n is the file's frame n, for each n of `frames`.
    func task(_ base: PictureTask, showing frames: [Int64]) throws -> PictureTask {
        guard let stream else { return base }
        var task = base
        // Each instruction has one frame: a rate of 1 keeps the fractions small.
        task.frameRate = try FrameRate(1)
        task.frameCount = (frames.max() ?? 0) + 1
        task.instructions = try Set(frames).sorted().map { frame in
            try instruction(base, FrameRange(start: frame, count: 1), from: stream.time(ofFrame: frame))
        }
        return sized(task, stream)
    }

    /// The task that has all frames of `range` on the timeline of ``readRate``.
    /// - Parameter range: nil is all.
    func task(_ base: PictureTask, range: TimeRange?) throws -> PictureTask {
        guard let stream else { return base }
        var (first, count) = (Int64(0), try readCount(stream))
        if let range {
            first = try readRate.frame(at: range.start).value
            count = try min(count, readRate.frame(at: range.start.adding(range.duration)).value) - first
            guard count > 0 else { throw CommandFailure(.usage, "--range is shorter than a frame of \(path).") }
        }
        var task = base
        (task.frameRate, task.frameCount) = (readRate, count)
        let start = try readRate.time(ofFrame: first)
        task.instructions = [try instruction(base, FrameRange(start: 0, count: count), from: start)]
        return sized(task, stream)
    }

    /// The times of `range`.
    /// - Returns: nil when it is empty.
    /// - Throws: ``CommandFailure`` for what is no time, or not in the file.
    func span(_ range: [String]) throws -> TimeRange? {
        guard range.count == 2 else { return nil }
        let times: [RationalTime]
        do {
            times = try range.map { try TimeText.read($0).seconds(at: stream?.editRate ?? readRate) }
        } catch let error as TimeTextError {
            throw CommandFailure(.usage, "--range \(range.joined(separator: " ")): \(error.message).")
        }
        guard !times[0].isNegative else { throw refused(range, "begins before 0s, where \(path) does") }
        guard times[1] > .zero else { throw refused(range, "has no length") }
        let end = try end
        guard try times[0].adding(times[1]) <= end else {
            throw refused(range, "goes on after \(TimeWords.seconds(end)), where \(path) ends")
        }
        return try TimeRange(start: times[0], duration: times[1])
    }

    /// `range` for the timeline of ``edit()``: in seconds, which mean the same at every rate.
    func texts(_ range: TimeRange) throws -> [String] {
        var end = try range.start.adding(range.duration)
        if let stream, stream.isVariableRate {
            // There the last frame may be cut off.
            let shown = try readRate.time(ofFrame: readRate.frame(at: stream.duration).value)
            if shown > range.start { end = min(end, shown) }
        }
        return try [range.start, end.subtracting(range.start)].map { "\(EditTime.seconds($0))" }
    }

    private func refused(_ range: [String], _ reason: String) -> CommandFailure {
        CommandFailure(.usage, "--range \(range.joined(separator: " ")) \(reason).")
    }

    /// Where it ends, in source time.
    private var end: RationalTime {
        get throws {
            if let stream { return try readRate.time(ofFrame: readCount(stream)) }
            return try sound.map { sound in
                try sound.start.adding(RationalTime(sound.sampleCount, Int64(sound.sampleRate)))
            } ?? .zero
        }
    }

    private func readCount(_ stream: VideoStreamFacts) throws -> Int64 {
        stream.isVariableRate ? try readRate.frame(at: stream.duration, rounding: .up).value : stream.frameCount
    }

    private func instruction(
        _ base: PictureTask,
        _ frames: FrameRange,
        from start: RationalTime
    ) throws -> SliceInstruction {
        guard var source = base.instructions.first?.layers.first?.from else {
            throw CommandFailure(.internalError, "\(path) was planned without a picture.")
        }
        source.start = start
        return SliceInstruction(frames: frames, layers: [SliceLayer(from: source)])
    }

    private func sized(_ task: PictureTask, _ stream: VideoStreamFacts) -> PictureTask {
        var task = task
        if let size = ownSize(stream) { task.size = size }
        return task
    }
}
