import CompositionModel
import Planning
import Samples

/// Processors one behind the other, over sound that can be asked for anywhere, so that each sample that comes out is a
/// pure function of its number:
/// ```
///  cells      |        0        |        1        |        2        |
///  runs       ├─────────────────┤
///                         ├─lead┼─────────────────┤         each cell is one run, that begins `lead` earlier
///                                           ├─lead┼────…    from silence
/// ```
/// Cells lie on a fixed grid (``ProcessorReach``). A run hears everything that counts for its cell. What goes into two
/// runs is kept from the first to the second, so that what lies before the chain is asked for forwards only: for other
/// chains and stretched clips going back means to begin anew.
final class ProcessorChain {
    /// Fills buffers with what goes in at the samples `range`; silence before 0 and past the end.
    typealias Input = (_ range: Range<Int64>, _ channels: [SampleBuffer]) throws -> Void

    private let settings: [SoundProcessor]
    private let sampleRate: Int
    /// What came out last, and the block before it: a resampler reads a little twice.
    private var buffers: SampleBuffers
    private var older: SampleBuffers
    private let reach: ProcessorReach
    /// Samples by which what comes out is later than what went in.
    private let latency: Int64
    private var run: Run?
    /// What went in of the lead of the next cell's run, by each block's first sample.
    private var lead: [Int64: [[Double]]] = [:]
    /// What came out last of the cell before.
    private var tail: (range: Range<Int64>, samples: [[Double]]) = (0..<0, [])

    private struct Run {
        var cell: Int64
        var processes: [any SoundProcess]
        /// The next sample that goes in.
        var input: Int64
        /// What came out last.
        var output: Range<Int64>
        /// The block before it; empty at first.
        var before: Range<Int64>
    }

    init(_ settings: [SoundProcessor], channels: Int, sampleRate: Int) {
        self.settings = settings
        self.sampleRate = sampleRate
        buffers = SampleBuffers(channels: channels)
        older = SampleBuffers(channels: channels)
        reach = ProcessorReach(settings, sampleRate: sampleRate)
        latency = settings.reduce(0) {
            $0 + Int64($1.process(channels: channels, sampleRate: sampleRate).latency)
        }
    }

    /// Fills `output` with the samples `range`, 0 or more.
    func read(_ range: Range<Int64>, into output: [SampleBuffer], from input: Input) throws {
        var place = range.lowerBound
        while place < range.upperBound {
            if tail.range.contains(place), reach.cell(of: place) != run?.cell {
                let part = place..<min(range.upperBound, tail.range.upperBound)
                for (channel, samples) in zip(output, tail.samples) {
                    for sample in part {
                        channel[Int(sample - range.lowerBound)] = samples[Int(sample - tail.range.lowerBound)]
                    }
                }
                place = part.upperBound
                continue
            }
            prepare(place)
            if place >= (run?.output.upperBound ?? 0) { try advance(from: input) }
            guard let run, let (ready, buffers) = block(at: place, of: run) else { continue }
            let part = place..<min(range.upperBound, ready.upperBound, reach.cellEnd(of: place))
            let held = buffers.take(ready.count)
            for (channel, samples) in zip(output, held) {
                for sample in part {
                    channel[Int(sample - range.lowerBound)] = samples[Int(sample - ready.lowerBound)]
                }
            }
            place = part.upperBound
        }
    }

    private func block(at place: Int64, of run: Run) -> (Range<Int64>, SampleBuffers)? {
        if run.output.contains(place) { return (run.output, buffers) }
        return run.before.contains(place) ? (run.before, older) : nil
    }

    /// Makes a run that has `place` before it, or at hand.
    private func prepare(_ place: Int64) {
        let cell = reach.cell(of: place)
        if let run, run.cell == cell, place >= run.before.lowerBound { return }
        if let run, run.cell + 1 == cell { keepTail(of: run) } else { (lead, tail) = ([:], (0..<0, [])) }
        let start = reach.start(ofCell: cell)
        let processes = settings.map { $0.process(channels: buffers.count, sampleRate: sampleRate) }
        let first = start - latency
        run = Run(cell: cell, processes: processes, input: start, output: first..<first, before: first..<first)
    }

    /// Readers go back a little, over the border of a cell too.
    private func keepTail(of run: Run) {
        let end = min(reach.cellEnd(of: run.cell * reach.cell), run.output.upperBound)
        let start = max(run.before.lowerBound, run.cell * reach.cell)
        tail = (0..<0, [])
        guard start < end else { return }
        let (newer, older) = (buffers.take(run.output.count), self.older.take(run.before.count))
        let samples = (0..<buffers.count).map { channel in
            (start..<end).map { sample in
                run.output.contains(sample)
                    ? newer[channel][Int(sample - run.output.lowerBound)]
                    : older[channel][Int(sample - run.before.lowerBound)]
            }
        }
        tail = (start..<end, samples)
    }

    /// Fills `held` with what goes in at `part`.
    private func take(_ part: Range<Int64>, _ held: [SampleBuffer], of cell: Int64, from input: Input) throws {
        if let known = lead.removeValue(forKey: part.lowerBound) {
            for (channel, samples) in zip(held, known) { _ = channel.update(from: samples) }
        } else {
            try input(part, held)
        }
        if !reach.isEndless, part.lowerBound >= reach.start(ofCell: cell + 1) {
            lead[part.lowerBound] = held.map { Array($0) }
        }
    }

    /// One block in, one block out.
    private func advance(from input: Input) throws {
        guard var run else { return }
        let part = run.input..<run.input + ProcessorReach.block
        swap(&buffers, &older)
        let held = buffers.take(part.count)
        try take(part, held, of: run.cell, from: input)
        for process in run.processes { process.process(held) }
        run.input = part.upperBound
        run.before = run.output
        run.output = part.lowerBound - latency..<part.upperBound - latency
        self.run = run
    }
}
