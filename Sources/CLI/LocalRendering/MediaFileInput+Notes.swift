import CompositionModel

// Lines about the file to print before it is used.
extension MediaFileInput {
    /// How the file's frames are handed out, where that is not as they are.
    /// - Parameters:
    ///   - isRead: whether all frames are handed out one after the other.
    ///   - isOnFarm: whether a farm makes them, from an edit.
    ///   - size: the size of the edit's frames.
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

    /// How the file's samples are handed out, where that is not as they are, and what is damaged.
    /// - Parameter sampleRate: the rate at which they are handed out, in Hz.
    func soundNotes(sampleRate: Int) -> [String] {
        guard let sound else { return [] }
        var notes = track == nil ? AudioTrackChoice(facts, of: path).notes : []
        if sound.sampleRate != sampleRate { notes.append("its \(sound.sampleRate) Hz are heard at \(sampleRate) Hz") }
        let flaws = sound.flawWords.map { ["\(path): warning: \($0)"] } ?? []
        return flaws + notes.map { "\(path): note: \($0)" }
    }
}
