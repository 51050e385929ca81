import Timing

/// The damage of a sound stream that its packets reveal: it is found when the file is probed, without decoding.
package struct SoundFlaws: Sendable, Hashable, Codable {
    /// The number of samples that the file's header promises, if clearly fewer are there; else nil.
    package var promised: Int64?
    /// The first sample after bytes that are no frame, in a file without times: what follows is heard at another time
    /// than it was. nil means that there is none.
    package var displaced: Int64?
    /// Whether the container is damaged somewhere; nil means no.
    package var isTorn: Bool?
    /// The number of bytes after the last frame that are no tag and may have been sound, in a file without times; nil
    /// means none.
    package var tail: Int64?
    /// The first sample behind which a part of the file is not heard, because it cannot be read or placed; nil means
    /// that there is none.
    package var unheard: Int64?

    /// - Returns: nil when there is no damage.
    package init?(
        promised: Int64?,
        displaced: Int64?,
        isTorn: Bool = false,
        tail: Int64? = nil,
        unheard: Int64? = nil
    ) {
        guard promised != nil || displaced != nil || isTorn || tail != nil || unheard != nil else { return nil }
        (self.promised, self.displaced, self.isTorn, self.tail) = (promised, displaced, isTorn ? true : nil, tail)
        self.unheard = unheard
    }
}

extension AudioStreamFacts {
    /// The damage in words, as the second half of a sentence that begins with the file; nil without any.
    package var flawWords: String? {
        guard let flaws else { return nil }
        func time(_ sample: Int64) -> String { TimeWords.seconds(sample: sample, at: sampleRate) }
        let missing = flaws.promised.map {
            "its sound is cut off, or a part is missing: its header promises \(time($0)), and \(time(sampleCount)) are there"
        }
        let displaced = flaws.displaced.map {
            "its sound is damaged at \(TimeWords.seconds(sample: $0, at: sampleRate, after: start)) in a way that moves "
                + "what follows: it is heard earlier or later than it was"
        }
        let tail = flaws.tail.map {
            "its sound ends at \(TimeWords.seconds(sample: sampleCount, at: sampleRate, after: start)), and the \($0) bytes "
                + "behind that are none: its end may be lost; copy it again"
        }
        let torn = flaws.isTorn.map { _ in
            "its file is damaged on the way: parts of its sound may be missing, and what follows them be moved; copy it again"
        }
        let unheard = flaws.unheard.map {
            "a part of its sound that belongs at \(TimeWords.seconds(sample: $0, at: sampleRate, after: start)) cannot be read "
                + "or placed, and is not heard; split the file there, or copy it again"
        }
        return [missing, displaced, unheard, tail, torn].compactMap(\.self).joined(separator: "; ")
    }
}
