package import Planning

extension MeasureTask {
    /// Whether `bytes` are what measuring this piece may write: a whole ``LoudnessPiece`` or ``WaveformPiece`` of its
    /// samples, or ``LoudnessPiece/unneeded`` in a round that is not needed. What the numbers say nobody knows who has
    /// not measured them.
    /// - Parameter isNeeded: whether the rounds before this one leave something to measure; true of the first round.
    package func isPiece(_ bytes: [UInt8], isNeeded: Bool = true) -> Bool {
        guard isNeeded else { return round != nil && bytes == LoudnessPiece.unneeded }
        switch what {
        case .loudness:
            guard let piece = LoudnessPiece(decoding: bytes) else { return false }
            return isPlace(piece.sampleRate, piece.start, piece.sampleCount, piece.wholeSampleCount)
        case .waveform(let grid, let channels):
            guard let piece = WaveformPiece(decoding: bytes) else { return false }
            return piece.columns.count == channels.count(of: sound.channels)
                && isPlace(piece.sampleRate, piece.start, piece.sampleCount, piece.wholeSampleCount)
                && piece.columns(of: grid) != nil
        }
    }

    /// Bytes of this piece, at the most.
    package var mostPieceBytes: Int64 {
        let head: Int64 = 64
        switch what {
        case .loudness: return head + 8 * (sound.sampleCount / MeasureGrid.tenth(sampleRate: sound.sampleRate))
        case .waveform(let grid, let channels):
            let columns = grid.columns(of: start..<start + sound.sampleCount, of: wholeSampleCount)
            return head + Int64(columns.count * channels.count(of: sound.channels) * WaveformPiece.columnBytes)
        }
    }

    private func isPlace(_ sampleRate: Int, _ start: Int64, _ sampleCount: Int64, _ wholeSampleCount: Int64) -> Bool {
        sampleRate == sound.sampleRate && start == self.start && sampleCount == sound.sampleCount
            && wholeSampleCount == self.wholeSampleCount
    }
}
