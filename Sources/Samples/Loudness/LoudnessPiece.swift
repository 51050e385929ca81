package import Planning

/// What was measured of a piece of a programme, as a file: 8 bytes `CUTLOUD1`, then big-endian the sample rate (32
/// bits), the piece's first sample, its samples and the programme's (64 bits each), the true peak, and the energy of
/// each whole tenth (64 bits each: all bits of the number).
package struct LoudnessPiece: Sendable, Hashable {
    /// Samples a second.
    package var sampleRate: Int
    /// The piece's first sample, counted from the programme's.
    package var start: Int64
    /// Samples of a channel of the piece.
    package var sampleCount: Int64
    /// Samples of the whole programme.
    package var wholeSampleCount: Int64
    /// What was measured.
    package var reading: LoudnessReading

    private static let magic = "CUTLOUD1"
    /// The bytes in place of a piece where it turned out that nothing had to be measured.
    package static let unneeded = Array("CUTLOUD0".utf8)

    package init(of task: MeasureTask, _ reading: LoudnessReading) {
        sampleRate = task.sound.sampleRate
        start = task.start
        sampleCount = task.sound.sampleCount
        wholeSampleCount = task.wholeSampleCount
        self.reading = reading
    }

    /// The bytes of the file.
    package func encoded() -> [UInt8] {
        var writer = ExactWriter()
        writer.write(Self.magic)
        writer.write(UInt32(clamping: sampleRate))
        for number in [start, sampleCount, wholeSampleCount] { writer.write(number) }
        writer.write(reading.truePeak)
        for energy in reading.energies { writer.write(energy) }
        return writer.bytes
    }

    /// - Returns: nil for bytes that no measuring of such a piece gives.
    package init?(decoding bytes: [UInt8]) {
        var reader = ExactReader(bytes)
        guard reader.skip(Self.magic), let rate = reader.integer(UInt32.self), rate > 0,
            let start = reader.integer(Int64.self), let sampleCount = reader.integer(Int64.self),
            let wholeSampleCount = reader.integer(Int64.self), start >= 0, sampleCount > 0, wholeSampleCount > 0,
            start <= wholeSampleCount, sampleCount <= wholeSampleCount - start, let truePeak = reader.double(),
            truePeak.isLevel
        else { return nil }
        (sampleRate, self.start, self.sampleCount, self.wholeSampleCount) = (
            Int(rate), start, sampleCount, wholeSampleCount
        )
        reading = LoudnessReading()
        reading.truePeak = truePeak
        let tenths = sampleCount / MeasureGrid.tenth(sampleRate: Int(rate))
        guard Int64(reader.remaining / 8) == tenths, reader.remaining % 8 == 0 else { return nil }
        reading.energies.reserveCapacity(Int(tenths))
        while let energy = reader.double() {
            guard energy.isLevel else { return nil }
            reading.energies.append(energy)
        }
    }

    /// The reading of the programme whose pieces these are, in order.
    /// - Returns: nil where they are not all of one programme of so many samples.
    package static func join(_ pieces: [LoudnessPiece], sampleRate: Int, wholeSampleCount: Int64) -> LoudnessReading? {
        var joined = LoudnessReading()
        var place: Int64 = 0
        for piece in pieces {
            guard piece.sampleRate == sampleRate, piece.wholeSampleCount == wholeSampleCount, piece.start == place,
                place % MeasureGrid.cell(sampleRate: sampleRate) == 0
            else { return nil }
            joined.append(piece.reading)
            place += piece.sampleCount
        }
        return place == wholeSampleCount ? joined : nil
    }
}

extension Double {
    fileprivate var isLevel: Bool { isFinite && self >= 0 }
}
