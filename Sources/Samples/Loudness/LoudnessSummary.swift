package import WireProtocol

extension LoudnessSummary {
    package init(_ reading: LoudnessReading, sampleCount: Int64, sampleRate: Int) {
        self.init(
            integrated: reading.integrated,
            range: reading.range,
            truePeak: reading.truePeak > 0 ? reading.truePeakDecibels : nil,
            maximumMomentary: reading.maximumMomentary.flatMap { $0 > -70 ? $0 : nil },
            maximumShortTerm: reading.maximumShortTerm.flatMap { $0 > -70 ? $0 : nil },
            sampleCount: sampleCount,
            sampleRate: sampleRate
        )
    }
}
