public import CompositionModel

/// The runs of a chain of processors, and the samples that they need: a fixed grid of cells, each made by one run
/// that begins as much earlier as the processors remember. Those that remember more than half the longest cell have one
/// run, from 0.
public struct ProcessorReach: Sendable, Hashable {
    /// Samples that go through at a time. Runs begin at multiples of it.
    public static let block: Int64 = 4096
    /// Samples of a cell: 5.5 to 87 s at 48 kHz. Powers of 2, and so multiples of what processors work in at a time.
    static let cells: ClosedRange<Int64> = 1 << 18...1 << 22

    /// Samples of a cell: four times the memory or more, so that leads cost a quarter at most; less for memories above
    /// a quarter of the longest.
    public let cell: Int64
    /// Samples by which a run begins before its cell; nil is from 0.
    private let lead: Int64?
    /// Samples by which what comes out is later than what went in, at most.
    private let latency: Int64

    public init(_ processors: [SoundProcessor], sampleRate: Int) {
        let memory = processors.reduce(0) { $0 + $1.memory(sampleRate: sampleRate) }
        latency = processors.reduce(0) { $0 + $1.latency(sampleRate: sampleRate) }
        lead =
            memory > Self.cells.upperBound / 2
            ? nil : (memory + latency + Self.block - 1) / Self.block * Self.block
        var length = Self.cells.lowerBound
        while length < Self.cells.upperBound, length < 4 * memory { length *= 2 }
        cell = length
    }

    /// Whether all that was heard before counts.
    public var isEndless: Bool { lead == nil }

    /// The number of the cell that `sample` lies in, from 0.
    public func cell(of sample: Int64) -> Int64 { lead == nil ? 0 : sample / cell }

    /// The sample after the last one of the cell that `sample` lies in.
    public func cellEnd(of sample: Int64) -> Int64 { lead == nil ? .max : (sample / cell + 1) * cell }

    /// The first sample that goes into the run of a cell.
    public func start(ofCell number: Int64) -> Int64 { max(number * cell - (lead ?? 0), 0) }

    /// The samples that go in so that `range`, from 0 on, comes out.
    public func needed(for range: Range<Int64>) -> Range<Int64> {
        guard !range.isEmpty else { return range }
        return start(ofCell: cell(of: range.lowerBound))..<range.upperBound + latency + Self.block
    }
}

extension [SoundProcessor]? {
    /// The samples before all of them, on both sides of the volume, that `range` needs.
    public func needed(for range: Range<Int64>, sampleRate: Int) -> Range<Int64> {
        reaches(sampleRate: sampleRate).reversed().reduce(range) { $1.needed(for: $0) }
    }

    /// Whether what is heard depends on all before it.
    func isEndless(sampleRate: Int) -> Bool { reaches(sampleRate: sampleRate).contains(where: \.isEndless) }

    /// The reaches of the chains before and after the volume, as far as there are any.
    private func reaches(sampleRate: Int) -> [ProcessorReach] {
        [false, true].compactMap { isAfter in
            let own = (self ?? []).filter { ($0.isAfterVolume ?? false) == isAfter }
            return own.isEmpty ? nil : ProcessorReach(own, sampleRate: sampleRate)
        }
    }
}
