/// How far a sound task is: a sample that was decoded and kept, or measured, counts one, a mixed and encoded one two.
struct SoundProgress {
    private let total: Int64
    /// What is decoded already.
    private var finished: Int64 = 0
    private var reported = -1
    private let report: (Int) -> Void

    /// - Parameters:
    ///   - decoded: samples that are kept over all streams.
    ///   - measured: samples whose loudness is measured.
    ///   - sampleCount: samples that are mixed.
    init(decoded: Int64, measured: Int64 = 0, sampleCount: Int64, report: @escaping (Int) -> Void) {
        total = max(2 * sampleCount + decoded + measured, 1)
        self.report = report
    }

    /// - Parameter count: more samples.
    mutating func decoded(_ count: Int64) {
        finished += count
        advance(to: finished)
    }

    /// Tells how much of a programme has been measured. Passes after the first do not count.
    mutating func measured(upTo sample: Int64) { advance(to: finished + sample) }

    mutating func finishedMeasuring(at sample: Int64) { decoded(sample) }

    /// Tells how much of the output has been mixed; only after all streams are decoded.
    mutating func mixed(upTo sample: Int64) { advance(to: finished + 2 * sample) }

    mutating func finish() { advance(to: total) }

    private mutating func advance(to done: Int64) {
        let permille = Int(Int128(max(done, 0)) * 1000 / Int128(total))
        guard permille > reported else { return }
        reported = min(permille, 1000)
        report(reported)
    }
}
