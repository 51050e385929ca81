package import Planning

/// Columns of a waveform as far as a piece of its sound gives them, as a file: 8 bytes `CUTWAVE1`, then big-endian the
/// sample rate (32 bits), the piece's first sample, its samples and the programme's (64 bits each), the lanes (32
/// bits), the first column and the columns (64 bits each), and of each lane each column: Σ sample² (128 bits), samples
/// (64 bits), least and most (32 bits each).
package struct WaveformPiece: Sendable, Hashable {
    /// Samples a second.
    package var sampleRate: Int
    /// The piece's first sample, counted from the programme's.
    package var start: Int64
    /// Samples of a channel of the piece.
    package var sampleCount: Int64
    /// Samples of the whole programme.
    package var wholeSampleCount: Int64
    /// The number of the first column in the programme's grid.
    package var firstColumn: Int
    /// `[lane][column]`, from `firstColumn` on; the first and the last may lack samples that lie in
    /// the pieces beside this one.
    package var columns: [[WaveformColumn]]

    private static let magic = "CUTWAVE1"
    static let columnBytes = 32

    package init(of task: MeasureTask, firstColumn: Int, columns: [[WaveformColumn]]) {
        sampleRate = task.sound.sampleRate
        start = task.start
        sampleCount = task.sound.sampleCount
        wholeSampleCount = task.wholeSampleCount
        self.firstColumn = firstColumn
        self.columns = columns
    }

    /// The bytes of the file.
    package func encoded() -> [UInt8] {
        var writer = ExactWriter()
        writer.write(Self.magic)
        writer.write(UInt32(clamping: sampleRate))
        for number in [start, sampleCount, wholeSampleCount] { writer.write(number) }
        writer.write(UInt32(clamping: columns.count))
        writer.write(Int64(firstColumn))
        writer.write(Int64(columns.first?.count ?? 0))
        for column in columns.joined() {
            writer.write(column.squares)
            writer.write(column.count)
            writer.write(column.least)
            writer.write(column.most)
        }
        return writer.bytes
    }

    /// - Returns: nil for bytes that no measuring of such a piece gives.
    package init?(decoding bytes: [UInt8]) {
        var reader = ExactReader(bytes)
        guard reader.skip(Self.magic), let rate = reader.integer(UInt32.self), rate > 0,
            let start = reader.integer(Int64.self), let sampleCount = reader.integer(Int64.self),
            let wholeSampleCount = reader.integer(Int64.self), start >= 0, sampleCount > 0, wholeSampleCount > 0,
            start <= wholeSampleCount, sampleCount <= wholeSampleCount - start,
            let lanes = reader.integer(UInt32.self), let first = reader.integer(Int64.self),
            let count = reader.integer(Int64.self), (1...256).contains(lanes), first >= 0, count > 0,
            first <= WaveformOrder.mostColumns, count <= WaveformOrder.mostColumns,
            Int64(reader.remaining) == Int64(lanes) * count * Int64(Self.columnBytes)
        else { return nil }
        (sampleRate, self.start, self.sampleCount, self.wholeSampleCount) = (
            Int(rate), start, sampleCount, wholeSampleCount
        )
        firstColumn = Int(first)
        columns = []
        for _ in 0..<lanes {
            var lane: [WaveformColumn] = []
            lane.reserveCapacity(Int(count))
            for _ in 0..<count {
                guard let column = WaveformColumn(&reader) else { return nil }
                lane.append(column)
            }
            columns.append(lane)
        }
    }

    /// The columns of `grid` that these are.
    /// - Returns: nil where they are not of this grid, or a column has not the samples that it has there.
    func columns(of grid: WaveformGrid) -> Range<Int>? {
        let samples = start..<start + sampleCount
        let range = grid.columns(of: samples, of: wholeSampleCount)
        guard range.lowerBound == firstColumn else { return nil }
        for lane in columns {
            guard lane.count == range.count else { return nil }
            for (index, column) in zip(range, lane) {
                let whole =
                    grid.start(ofColumn: index, of: wholeSampleCount)..<grid.end(ofColumn: index, of: wholeSampleCount)
                guard column.count == Int64(whole.clamped(to: samples).count) else { return nil }
            }
        }
        return range
    }

    /// A meter as if it alone had heard the programme whose pieces these are, in order.
    /// - Returns: nil where they are not all of one programme of so many samples, or not of this grid.
    package static func join(
        _ pieces: [WaveformPiece],
        _ grid: WaveformGrid,
        sampleRate: Int,
        wholeSampleCount: Int64,
        lanes: Int
    ) -> WaveformMeter? {
        let meter = WaveformMeter(grid, sampleCount: wholeSampleCount, channels: lanes)
        var place: Int64 = 0
        for piece in pieces {
            guard piece.sampleRate == sampleRate, piece.wholeSampleCount == wholeSampleCount, piece.start == place,
                piece.columns.count == lanes, meter.take(piece)
            else { return nil }
            place += piece.sampleCount
        }
        return place == wholeSampleCount ? meter : nil
    }
}

extension WaveformColumn {
    fileprivate init?(_ reader: inout ExactReader) {
        guard let squares = reader.integer(UInt128.self), let count = reader.integer(Int64.self),
            let least = reader.integer(Int32.self), let most = reader.integer(Int32.self)
        else { return nil }
        self.init(squares: squares, count: count, least: least, most: most)
    }
}
