import Samples
import Shared

/// Where runs of a chain of processors begin and which samples they need: a fixed grid of cells, each made by one run that
/// begins as much earlier as the processors remember. Those that remember more than half a cell have one run, from 0.
struct ProcessorReach {
    /// Samples; 87 s at 48 kHz. A multiple of what processors work in at a time (``NoiseReduction``).
    static let cell: Int64 = 1 << 22
    /// Samples that go through at a time. Runs begin at multiples of it.
    static let block: Int64 = 4096

    /// Samples by which what comes out is later than what went in.
    let latency: Int64
    /// Samples by which a run begins before its cell; nil is from 0.
    private let lead: Int64?

    init(_ processors: [SoundProcessor], channels: Int, sampleRate: Int) {
        let processes = processors.map { $0.process(channels: channels, sampleRate: sampleRate) }
        let memory = SoundMemory.sum(processes.map(\.memory))
        lead = memory > Self.cell / 2 ? nil : (memory + Self.block - 1) / Self.block * Self.block
        latency = Int64(processes.reduce(0) { $0 + $1.latency })
    }

    func cell(of sample: Int64) -> Int64 { lead == nil ? 0 : sample / Self.cell }

    func cellEnd(of sample: Int64) -> Int64 { lead == nil ? .max : (sample / Self.cell + 1) * Self.cell }

    /// The first sample that goes into the run of a cell.
    func start(ofCell cell: Int64) -> Int64 { max(cell * Self.cell - (lead ?? 0), 0) }

    /// The samples that go in so that `range`, from 0 on, comes out.
    func needed(for range: Range<Int64>) -> Range<Int64> {
        guard !range.isEmpty else { return range }
        return start(ofCell: cell(of: range.lowerBound))..<range.upperBound + latency + Self.block
    }
}

extension [SoundProcessor]? {
    /// The samples before all of them, on both sides of the volume, that `range` needs.
    func needed(for range: Range<Int64>, channels: Int, sampleRate: Int) -> Range<Int64> {
        [true, false].reduce(range) { range, isAfter in
            let own = (self ?? []).filter { ($0.isAfterVolume ?? false) == isAfter }
            guard !own.isEmpty else { return range }
            return ProcessorReach(own, channels: channels, sampleRate: sampleRate).needed(for: range)
        }
    }
}
