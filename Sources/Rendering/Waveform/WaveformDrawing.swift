import Planning
import Samples

/// A waveform as SVG: for each lane one path of the peaks and one of the average, a step for each column, and over them
/// one of the columns that are louder than full scale, where there are any.
enum WaveformDrawing {
    /// The drawing as the text of an SVG file.
    static func svg(_ waveform: Waveform, _ order: WaveformOrder) -> String {
        let (width, lanes) = (waveform.columns[0].count, waveform.columns.count)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(order.height)" \
            viewBox="0 0 \(width) \(order.height)">
            <rect width="\(width)" height="\(order.height)" fill="\(order.colors.background)"/>

            """
        for (index, lane) in waveform.columns.enumerated() {
            // Hundredths of a pixel.
            let middle = (2 * index + 1) * order.height * 50 / lanes
            let half = Double(order.height) * 50 / Double(lanes)
            let peaks = lane.map { (Double($0.most), Double($0.least)) }
            let averages = lane.map { ($0.rootMeanSquare, -$0.rootMeanSquare) }
            for (values, color) in [(peaks, order.colors.peak), (averages, order.colors.average)] {
                let places = values.map { (place($0.0, middle, half), place($0.1, middle, half)) }
                text += "<path fill=\"\(color)\" d=\"\(path(places, middle))\"/>\n"
            }
            let over = lane.enumerated().filter(\.element.isOver).map { column, value in
                let (top, bottom) = (place(peaks[column].0, middle, half), place(peaks[column].1, middle, half))
                return "M\(column) \(hundredths(top))H\(column + 1)V\(hundredths(bottom))H\(column)Z"
            }
            if !over.isEmpty { text += "<path fill=\"\(order.colors.over)\" d=\"\(over.joined())\"/>\n" }
        }
        return text + "</svg>\n"
    }

    /// The height of a level in the lane, at most its edge.
    private static func place(_ steps: Double, _ middle: Int, _ half: Double) -> Int {
        middle - Int((min(max(steps / 8_388_608, -1), 1) * half).rounded())
    }

    /// Above from left to right, below and back.
    private static func path(_ places: [(top: Int, bottom: Int)], _ middle: Int) -> String {
        var text = "M0 \(hundredths(middle))"
        for (column, place) in places.enumerated() { text += "V\(hundredths(place.top))H\(column + 1)" }
        for (column, place) in places.enumerated().reversed() { text += "V\(hundredths(place.bottom))H\(column)" }
        return text + "Z"
    }

    private static func hundredths(_ value: Int) -> String {
        let (whole, rest) = (abs(value) / 100, abs(value) % 100)
        let sign = value < 0 ? "-" : ""
        guard rest > 0 else { return sign + "\(whole)" }
        let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return sign + "\(whole).\(digits)"
    }
}
