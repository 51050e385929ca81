package import CompositionModel

/// The runs of a chain of processors, and the samples that they need: a fixed grid of cells, each made by one run that
/// begins earlier by what the processors remember. A chain that remembers more than half the longest cell has one run,
/// from sample 0.
package struct ProcessorReach: Sendable, Hashable {
    /// The samples processed at a time. Runs begin at multiples of it.
    package static let block: Int64 = 4096
    /// The shortest and longest cell in samples, 5.5 to 87 s at 48 kHz. Cells are powers of 2, and so multiples of the
    /// blocks that processors work in.
    static let cells: ClosedRange<Int64> = 1 << 18...1 << 22

    /// The samples in a cell: at least four times the memory, so that pre-roll costs a quarter at most; less for
    /// memories above a quarter of the longest cell.
    package let cell: Int64
    /// The samples by which a run begins before its cell; nil begins at 0.
    private let preRoll: Int64?
    /// The most samples by which output is later than input.
    private let latency: Int64

    /// Adds up the memory and the latency of `processors` in samples at `sampleRate`.
    package init(_ processors: [SoundProcessor], sampleRate: Int) {
        let memory = processors.reduce(0) { $0 + $1.memory(sampleRate: sampleRate) }
        latency = processors.reduce(0) { $0 + $1.latency(sampleRate: sampleRate) }
        preRoll =
            memory > Self.cells.upperBound / 2
            ? nil : (memory + latency + Self.block - 1) / Self.block * Self.block
        var length = Self.cells.lowerBound
        while length < Self.cells.upperBound, length < 4 * memory { length *= 2 }
        cell = length
    }

    /// Whether the output depends on all earlier samples.
    package var isEndless: Bool { preRoll == nil }

    /// The number of the cell that `sample` lies in, from 0.
    package func cell(of sample: Int64) -> Int64 { preRoll == nil ? 0 : sample / cell }

    /// The sample after the last one of the cell that `sample` lies in; `Int64.max` for an endless chain.
    package func cellEnd(of sample: Int64) -> Int64 { preRoll == nil ? .max : (sample / cell + 1) * cell }

    /// The first input sample of the run for a cell; at least 0.
    package func start(ofCell number: Int64) -> Int64 { max(number * cell - (preRoll ?? 0), 0) }

    /// The input samples that produce the output samples `range`; an empty range needs none.
    package func needed(for range: Range<Int64>) -> Range<Int64> {
        guard !range.isEmpty else { return range }
        return start(ofCell: cell(of: range.lowerBound))..<range.upperBound + latency + Self.block
    }
}

extension [SoundProcessor]? {
    /// The samples before all processors, on both sides of the volume, that the output samples `range` need.
    package func needed(for range: Range<Int64>, sampleRate: Int) -> Range<Int64> {
        reaches(sampleRate: sampleRate).reversed().reduce(range) { $1.needed(for: $0) }
    }

    /// Whether the output depends on all earlier samples.
    func isEndless(sampleRate: Int) -> Bool { reaches(sampleRate: sampleRate).contains(where: \.isEndless) }

    /// The reaches of the chains before and after the volume; a chain without processors is left out.
    private func reaches(sampleRate: Int) -> [ProcessorReach] {
        [false, true].compactMap { isAfter in
            let own = (self ?? []).filter { ($0.isAfterVolume ?? false) == isAfter }
            return own.isEmpty ? nil : ProcessorReach(own, sampleRate: sampleRate)
        }
    }
}
