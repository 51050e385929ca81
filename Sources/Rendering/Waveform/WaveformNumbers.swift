import Planning
import Samples
import Timing

/// A waveform as JSON in the form of audiowaveform's version 2, with the averages beside it (docs/waveform.md).
enum WaveformNumbers {
    /// The numbers of all columns as the text of a JSON file.
    static func json(_ waveform: Waveform, _ order: WaveformOrder) -> String {
        let lanes = waveform.columns.count
        let shift = Int32(24 - order.bits)
        let scale = Double(Int32(1) << shift)
        var (data, averages, over) = ("", "", "")
        for column in waveform.columns[0].indices {
            for lane in 0..<lanes {
                let value = waveform.columns[lane][column]
                let comma = data.isEmpty ? "" : ","
                data += "\(comma)\(held(value.least) >> shift),\(held(value.most) >> shift)"
                if value.isOver {
                    let comma = over.isEmpty ? "" : ","
                    over += "\(comma)[\(column),\(lane),\(value.least >> shift),\(value.most >> shift)]"
                }
                averages += "\(comma)\(Int((value.rootMeanSquare / scale).rounded()))"
            }
        }
        let levels = waveform.totals.map { total in
            "{\"peak\":\(decibels(Double(total.peak))),\"rms\":\(decibels(total.rootMeanSquare))}"
        }
        return """
            {"version":2,"channels":\(lanes),"sample_rate":\(waveform.sampleRate),\
            "samples_per_pixel":\(samplesPerPixel(waveform, order.grid)),"bits":\(order.bits),\
            "length":\(waveform.columns[0].count),"samples":\(waveform.sampleCount),\
            "levels":[\(levels.joined(separator: ","))],
            "data":[\(data)],
            "over":[\(over)],
            "rms":[\(averages)]}

            """
    }

    /// Within full scale: players keep `data` in integers of its bits, where more would wrap around.
    private static func held(_ steps: Int32) -> Int32 { min(max(steps, -(1 << 23)), (1 << 23) - 1) }

    /// A whole number, or six digits of what it is.
    private static func samplesPerPixel(_ waveform: Waveform, _ grid: WaveformGrid) -> String {
        switch grid {
        case .every(let samples): return "\(samples)"
        case .evenly(let columns):
            let (whole, rest) = waveform.sampleCount.quotientAndRemainder(dividingBy: Int64(columns))
            guard rest > 0 else { return "\(whole)" }
            let digits = String(rest * 1_000_000 / Int64(columns) + 1_000_000).dropFirst()
            return "\(whole).\(digits)"
        }
    }

    /// The level in decibels of full scale, to hundredths; `null` for silence.
    private static func decibels(_ steps: Double) -> String {
        guard steps > 0 else { return "null" }
        let hundredths = Int((ExactMath.log2(steps / 8_388_608) * 602.0599913279624).rounded())
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        return (hundredths < 0 ? "-" : "") + "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
