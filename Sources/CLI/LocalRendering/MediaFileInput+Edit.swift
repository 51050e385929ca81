import CompositionModel
import Ingest
import Timing

// The edits that stand for the file where a timeline is needed.
extension MediaFileInput {
    /// The edit that shows what is wanted of the file.
    /// - Throws: ``CommandFailure`` when the file does not have what is wanted, or has more channels than an edit.
    func edit(for wanted: LocalRendering.Wanted) throws -> EditFile {
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

    /// The edit that shows the whole file, with the sound that it has.
    /// - Throws: ``CommandFailure`` for a still picture, and for a file with more channels than an edit has.
    func wholeEdit() throws -> EditFile {
        guard stream?.isStill != true else {
            throw CommandFailure(.usage, "\(path) is a picture, and a movie or sound is wanted.")
        }
        return try edit(for: facts.audio.isEmpty ? .frames : .samples)
    }

    /// The edit for a farm whose frame n shows the nth of `frames`, with the frame numbers to order from the farm.
    ///
    /// A file with a constant rate that an edit may have is shown as a movie: then the numbers stay those of the file.
    /// - Throws: ``CommandFailure`` for a file without pictures.
    func edit(showing frames: [Int64]) throws -> (file: EditFile, frames: [Int64]) {
        guard let stream, !stream.isStill else { return (try edit(for: .frames), frames) }
        let isSame = !stream.isVariableRate && Limits.frameRates.contains(stream.frameRate.framesPerSecond)
        return isSame ? (try edit(for: .frames), frames) : (try edit(.frames(frames)), frames.indices.map { Int64($0) })
    }

    /// The sound with each channel unchanged.
    private func ownSound() throws -> MediaSound {
        let channels = sound?.channels ?? 2
        guard Limits.channels.contains(channels) else {
            let known = "at most \(Limits.channels.upperBound) are heard as they are"
            let advice = "in an edit, \"channels\" of a segment says what is heard of them"
            throw CommandFailure(.usage, "\(path) has \(channels) channels of sound, and \(known); \(advice).")
        }
        if let track, let sound {
            let isRate = Limits.sampleRates.contains(sound.sampleRate)
            return .track(track, channels: channels, sampleRate: isRate ? sound.sampleRate : nil)
        }
        return channels > 2 ? .each(channels) : .usual
    }

    private func edit(_ view: MediaView, _ sound: MediaSound = .none) throws -> EditFile {
        do {
            return try EditFile(showing: path, view, sound: sound)
        } catch {
            throw CommandFailure(.usage, "\(path) cannot be shown: \(error)")
        }
    }
}
