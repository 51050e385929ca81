package import CompositionModel
package import Planning
import Samples
package import WireProtocol

/// Hears a mix to the end to know how loud it is.
package enum LoudnessPass {
    /// How loud the mix of a task is, as it would be rendered.
    /// - Parameters: see ``SoundRenderer/render(_:sources:to:scratchFolder:progress:warn:)``.
    /// - Throws: ``RenderError``, ``MediaError``.
    package static func summary(
        _ task: SoundTask,
        sources: [RenderSource],
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> LoudnessSummary {
        let meter = LoudnessMeter(weights: weights(of: task), sampleRate: task.sampleRate)
        try SoundRenderer.mix(task, sources: sources, scratchFolder: scratchFolder, progress: progress, warn: warn) {
            meter.measure($0)
        }
        meter.finish()
        return LoudnessSummary(meter.reading, sampleCount: task.sampleCount, sampleRate: task.sampleRate)
    }

    /// The reading of a mix, or of a piece of it.
    /// - Parameters:
    ///   - range: samples of `mixer`, which begin at a multiple of ``LoudnessMeter/cell``; readings of pieces in order
    ///     join to that of the whole, bit for bit.
    ///   - isEnd: the programme ends with it.
    ///   - progress: samples of `range` that have been heard.
    static func reading(
        of mixer: SoundMixer,
        _ range: Range<Int64>,
        isEnd: Bool = true,
        channels: Int,
        sampleRate: Int,
        progress: (Int64) -> Void = { _ in }
    ) throws -> LoudnessReading {
        let meter = LoudnessMeter(weights: weights(channels: channels), sampleRate: sampleRate)
        let preRoll = max(range.lowerBound - Int64(meter.memory), 0)..<range.lowerBound
        try hear(mixer, preRoll, channels: channels) { samples, _ in meter.measure(samples, isHeard: false) }
        try hear(mixer, range, channels: channels) { samples, end in
            meter.measure(samples)
            progress(end - range.lowerBound)
        }
        if isEnd { meter.finish() }
        return meter.reading
    }

    /// Brings `mixer` to the loudness that its plan asks for: hears all of it, again with gain and limiter where its
    /// peaks want one, and leaves the gain set.
    /// - Returns: what is said when the loudness cannot be had; nil when it is reached.
    static func adjust(_ mixer: SoundMixer, _ plan: MixPlan, progress: inout SoundProgress) throws -> Failure? {
        guard let target = plan.master?.loudness, plan.loudness == nil else { return nil }
        let count = Int64(plan.window.count)
        var search = LoudnessSearch(target)
        while case .measure(let gain) = search.step {
            mixer.adjust(gain)
            let reading = try reading(of: mixer, 0..<count, channels: plan.channels, sampleRate: plan.sampleRate) {
                if gain == nil { progress.measured(upTo: $0) }
            }
            if gain == nil { progress.finishedMeasuring(at: count) }
            search.take(reading)
        }
        guard case .done(let gain) = search.step else { return nil }
        mixer.adjust(gain)
        return search.failure
    }

    private static func hear(
        _ mixer: SoundMixer,
        _ range: Range<Int64>,
        channels: Int,
        take: ([SampleBuffer], _ end: Int64) throws -> Void
    ) throws {
        let buffers = SampleBuffers(channels: channels)
        defer { withExtendedLifetime(buffers) {} }
        var place = range.lowerBound
        while place < range.upperBound {
            let block = buffers.take(Int(min(Int64(SoundRenderer.blockSize), range.upperBound - place)))
            try mixer.mix(from: place, into: block)
            place += Int64(block[0].count)
            try take(block, place)
        }
    }

    /// The weights of the channels of `task` in its loudness.
    static func weights(of task: SoundTask) -> [Double] {
        task.speakers.map(weights(of:)) ?? weights(channels: task.channels)
    }

    /// The weights of the speakers that an edit of so many channels has.
    static func weights(channels: Int) -> [Double] {
        weights(of: ChannelLayout(edit: channels)?.speakers ?? Array(repeating: "FC", count: channels))
    }

    /// BS.1770-5, table 3.
    private static func weights(of speakers: [String]) -> [Double] {
        speakers.map { speaker in
            if speaker.hasPrefix("LFE") { return 0 }
            return ["BL", "BR", "BC", "SL", "SR"].contains(speaker) ? 1.41 : 1
        }
    }
}

extension LoudnessSearch {
    /// What is said when the loudness cannot be had; nil when it is reached, or nothing was heard.
    var failure: Failure? {
        immeasurable.map(Failure.loudnessUnknown) ?? shortfall.map(Failure.loudnessNotReached)
    }
}

extension Failure {
    /// The warning of a programme whose loudness cannot be measured.
    static func loudnessUnknown(_ reason: LoudnessSearch.Immeasurable) -> Failure {
        let (what, remedy) =
            switch reason {
            case .shorter: ("shorter than 0.4 s, the least that has a loudness", "make it longer")
            case .quieter: ("below −70 LUFS throughout, where no loudness is measured", "make it louder")
            }
        return Failure(
            code: "loudness_not_measured",
            message: "The sound is \(what), so it is not brought to the edit’s loudness target; \(remedy), or set a "
                + "“volume” and leave the target out.",
            isPermanent: true
        )
    }

    /// - Parameter shortfall: LU.
    static func loudnessNotReached(_ shortfall: Double) -> Failure {
        let tenths = Int((shortfall * 10).rounded())
        return Failure(
            code: "loudness_not_reached",
            message: "The sound is about \(tenths / 10).\(tenths % 10) LU quieter than the edit’s loudness target: its "
                + "peaks leave no more room below “truePeak”; compress it, or lower the target.",
            isPermanent: true
        )
    }
}
