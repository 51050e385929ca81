import CompositionModel
import Timing

// Segments that are played more than once, and those that end with the picture.
extension TrackLayout {
    /// Appends `piece` as often as `loop` says: pictures are shown again one run behind the other, with the sound of
    /// each.
    /// ```
    /// run       in ├──┬──┬──┤
    /// timeline     ├──┬──┬──┼──┬──┬──┼──┬──┬──┤   keys count from the first one's start
    /// ```
    mutating func place(
        _ piece: PlacedSegment,
        runs loop: Marked<LoopRule>?,
        in run: Extent
    ) throws(TimeError) -> Extent? {
        guard case .runs(let runs) = loop?.value, let mark = loop?.mark, runs > 1 else {
            append(piece)
            return run
        }
        let end = run.start.addingProduct(run.end - run.start, Int64(runs))
        guard let end, let time = try? RationalTime(end, of: grid.unit), runs <= allowance.loopRuns else {
            let most = "pictures are repeated at most \(Limits.loopRuns) times in the edit and all nested in it"
            log.error(mark, .tooMany, "\(most); render some runs, and loop that movie")
            return nil
        }
        guard grid.isWithinLimits(time, mark: mark) else { return nil }
        // At most `Limits.loopRuns` times a number that memory holds.
        let (numbers, words) = ((runs - 1) * piece.curveSteps, runs * piece.segment.wordCount)
        guard numbers <= allowance.rampSteps else { return tooMany(piece.segment) }
        guard words <= allowance.loopedWords else {
            let count = "\(Limits.loopedWords) keys, properties, effects and processors"
            let message = "all that is repeated comes to more than \(count); render it first, and loop that"
            log.error(mark, .tooMany, message)
            return nil
        }
        allowance.rampSteps -= numbers
        allowance.loopedWords -= words
        allowance.loopRuns -= runs
        for number in 0..<Int64(runs) {
            // An edit that has errors is not rendered: its first and last run, which have neighbours, can have more.
            guard !log.hasErrors || number == 0 || number == Int64(runs) - 1 else { continue }
            guard WorkMeter.step() else { break }
            var copy = piece
            copy.played = try RationalTime(number * piece.count, of: grid.unit)
            // A time of a key that cannot be computed is found here, where its place is known: the last run is the latest.
            if number == Int64(runs) - 1 { _ = try copy.ownSegment(at: grid.rate) }
            (copy.start, copy.end) = (piece.start + number * piece.count, piece.end + number * piece.count)
            append(copy)
        }
        return Extent(start: run.start, end: end, time: time)
    }

    /// What a segment of sound plays.
    struct SoundExtent {
        var extent: Extent
        /// What of its source it repeats.
        var loop: SampleLoop?
        /// Source time of its first sample.
        var sourceStart: RationalTime
    }

    /// A run is a whole number of the source's samples, so that the wrap is at the same one each time.
    /// - Returns: nil after a finding.
    func soundExtent(
        of segment: EditSegment,
        _ source: ResolvedSource,
        at speed: RationalTime,
        in run: Extent,
        from start: RationalTime
    ) throws(TimeError) -> SoundExtent? {
        var time = run.time
        var loop: SampleLoop?
        var first = try firstShown(of: source, at: speed, count: run.end - run.start)
        if let rule = segment.loop, rule.value != .runs(1), case .ramp = segment.speed?.value {
            let message = "sound whose speed changes is not looped; write the segment as often as it is heard"
            log.error(rule.mark, .speed, message)
            return nil
        }
        if let rule = segment.loop, rule.value != .runs(1), let stream = source.streams.audio {
            let unit = try RationalTime(1, Int64(stream.sampleRate))
            let length = try run.time.subtracting(start).multiplied(by: speed.magnitude())
            var samples = SampleLoop(
                start: try source.start.subtracting(stream.start).count(of: unit).value,
                count: try length.count(of: unit).value
            )
            guard samples.count > 0 else {
                let message = "what is repeated is shorter than one sample of asset \"\(segment.asset.value)\""
                log.error(rule.mark, .tooShort, message)
                return nil
            }
            switch rule.value {
            case .picture:
                guard let end = pictureEnd(for: rule.mark, from: start, otherwise: time) else { return nil }
                time = end
            case .runs(let runs):
                let whole = try RationalTime(whole: Int64(runs)).multiplied(by: RationalTime(samples.count, of: unit))
                let seconds = try whole.divided(by: speed.magnitude())
                guard grid.isWithinLimits(seconds, mark: rule.mark) else { return nil }
                time = try start.adding(seconds)
                samples.runs = Int64(runs)
                if speed.isNegative {
                    // Where a file of all runs has it, seen from the run that is heard first.
                    let others = try RationalTime(whole: Int64(runs) - 1).multiplied(
                        by: RationalTime(samples.count, of: unit)
                    )
                    let last = try firstShown(of: source, at: speed, count: try grid.position(time) - run.start)
                    first = try last.subtracting(others)
                }
            }
            loop = samples
        }
        if let rule = segment.until {
            guard let end = pictureEnd(for: rule.mark, from: start, otherwise: time) else { return nil }
            time = min(time, end)
        }
        let end = try grid.position(time)
        guard end > run.start else {
            let message = "\(TimeWords.seconds(try time.subtracting(start))) is shorter than one \(unitName)"
            log.error(segment.mark, .tooShort, message)
            return nil
        }
        let extent = Extent(start: run.start, end: end, time: time)
        return SoundExtent(extent: extent, loop: loop, sourceStart: first)
    }

    /// - Parameter time: where it ends while nobody knows where the picture does.
    /// - Returns: nil after a finding.
    private func pictureEnd(
        for mark: SourceMark,
        from start: RationalTime,
        otherwise time: RationalTime
    ) -> RationalTime? {
        guard sources.unusable.isEmpty else { return time }
        guard let end = pictureEnd else {
            log.error(mark, .noPicture, "the edit has no picture or title that this could end with")
            return nil
        }
        guard end > start else {
            let times = TimeWords.distinct(start, end)
            let numbers = "begins at \(times[0]), but the picture ends at \(times[1])"
            log.error(mark, .pastEnd, "the segment \(numbers)")
            return nil
        }
        return end
    }
}

extension PlacedSegment {
    /// The segment as this run of it is written by itself: its keys come earlier.
    /// - Parameter rate: the edit's.
    func ownSegment(at rate: FrameRate) throws(TimeError) -> EditSegment { try segment.later(by: played, at: rate) }
}

extension EditSegment {
    /// The number of keys, properties, effects and processors that are written.
    fileprivate var wordCount: Int {
        var count = self.sounds.processors.count
        if case .keys(let keys) = self.volume?.value { count += keys.count }
        for property in [self.sounds.pan, self.sounds.balance] { count += property?.keys.count ?? 0 }
        for property in self.appearance.properties.values { count += property.keys.count }
        for effect in self.appearance.effects { count += effect.values.values.reduce(1) { $0 + $1.keys.count } }
        return count
    }

    /// The same segment as one that begins later sees it: its keys come earlier. One without keys stays as it is.
    fileprivate func later(by time: RationalTime, at rate: FrameRate) throws(TimeError) -> EditSegment {
        guard time != .zero else { return self }
        var segment = self
        if case .keys(let keys) = self.volume?.value {
            var moved: [EditVolumeKey] = []
            for var key in keys {
                key.at = try key.at.earlier(by: time, at: rate)
                moved.append(key)
            }
            segment.volume?.value = .keys(moved)
        }
        if let pan = self.sounds.pan { segment.sounds.pan = try pan.earlier(by: time, at: rate) }
        if let balance = self.sounds.balance { segment.sounds.balance = try balance.earlier(by: time, at: rate) }
        for (name, property) in self.appearance.properties where property.hasTimes {
            segment.appearance.properties[name] = try property.earlier(by: time, at: rate)
        }
        for index in self.appearance.effects.indices {
            for (name, property) in self.appearance.effects[index].values where property.hasTimes {
                segment.appearance.effects[index].values[name] = try property.earlier(by: time, at: rate)
            }
        }
        return segment
    }
}

extension EditProperty {
    /// Whether it has keys that stand at a time.
    fileprivate var hasTimes: Bool { keys.contains { $0.at != nil } }

    fileprivate func earlier(by time: RationalTime, at rate: FrameRate) throws(TimeError) -> EditProperty {
        var property = self
        for index in keys.indices { property.keys[index].at = try keys[index].at?.earlier(by: time, at: rate) }
        return property
    }
}

extension Marked<EditTime> {
    /// A time that cannot be told stays as it is: that is found where it is used.
    fileprivate func earlier(by time: RationalTime, at rate: FrameRate) throws(TimeError) -> Marked<EditTime> {
        guard let seconds = try? value.seconds(at: rate) else { return self }
        return Marked(.seconds(try seconds.subtracting(time)), mark)
    }
}

extension Int64 {
    /// `self + factor × other`; nil past the largest number.
    fileprivate func addingProduct(_ factor: Int64, _ other: Int64) -> Int64? {
        let (product, tooLarge) = factor.multipliedReportingOverflow(by: other)
        let (sum, overflow) = addingReportingOverflow(product)
        return tooLarge || overflow ? nil : sum
    }
}
