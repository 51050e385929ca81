import Foundation
package import Planning
import Samples
package import WireProtocol

/// Joins what ``MeasureRenderer`` wrote of all pieces of a programme.
package enum MeasureJoin {
    /// The loudness of the programme whose pieces were measured.
    /// - Throws: ``RenderError`` `invalid_measurement` for files that are not pieces of the programme.
    package static func loudness(_ request: JoinRequest) throws -> LoudnessSummary {
        let pieces = try request.pieces.map { try read($0, LoudnessPiece.init(decoding:)) }
        let reading = LoudnessPiece.join(
            pieces,
            sampleRate: request.sampleRate,
            wholeSampleCount: request.wholeSampleCount
        )
        guard let reading else { throw RenderError.invalidMeasurement }
        return LoudnessSummary(reading, sampleCount: request.wholeSampleCount, sampleRate: request.sampleRate)
    }

    /// - Parameter path: the path of the file, which is there whole afterwards, or not at all.
    /// - Returns: the number of columns.
    /// - Throws: ``RenderError`` `invalid_measurement` for files that are not pieces of the programme, `no_space` or
    ///   `write_failed` when the file cannot be written.
    package static func waveform(_ request: JoinRequest, as order: WaveformOrder, to path: String) throws -> Int64 {
        let lanes = order.channels.count(of: request.channels)
        try WaveformWriter.check(order, sampleCount: request.wholeSampleCount, lanes: lanes)
        let pieces = try request.pieces.map { try read($0, WaveformPiece.init(decoding:)) }
        let meter = WaveformPiece.join(
            pieces,
            order.grid,
            sampleRate: request.sampleRate,
            wholeSampleCount: request.wholeSampleCount,
            lanes: lanes
        )
        guard let meter else { throw RenderError.invalidMeasurement }
        return try WaveformWriter.write(
            meter,
            as: order,
            sampleCount: request.wholeSampleCount,
            sampleRate: request.sampleRate,
            to: path
        )
    }

    /// Reads the file of a piece.
    /// - Throws: ``RenderError`` `invalid_measurement` for a file that is none; the error of the file system.
    static func read<Piece>(_ path: String, _ decode: ([UInt8]) -> Piece?) throws -> Piece {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard let piece = decode(bytes) else { throw RenderError.invalidMeasurement }
        return piece
    }
}

extension RenderError {
    static let invalidMeasurement = RenderError(
        "invalid_measurement",
        "What was measured of the pieces does not fit together; measure again.",
        isPermanent: true
    )
}
