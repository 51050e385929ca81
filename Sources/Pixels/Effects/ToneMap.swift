/// Brings pictures of a wide range of brightness into the range of an ordinary display, sample by sample.
///
/// All curves come as tables; between two entries of a table that is asked by a root the value lies on the line between
/// them. + − × √ on doubles only.
package struct ToneMap: Sendable {
    /// For each code value's upper 12 bits the light before ``sceneGain``.
    package var light: [Double]
    /// What light is multiplied by, by the root of luminance 0…1. Empty multiplies by nothing.
    package var sceneGain: [Double]
    /// Weights of red, green and blue in luminance.
    package var luminance: [Double]
    /// Rows of red, green and blue: to the display's primaries.
    package var primaries: [Double]
    /// The brightest light that the tables know.
    package var peak: Double
    /// What light is multiplied by, to 0…1 of the display, by the root of the brightest component / ``peak``.
    package var gain: [Double]
    /// The display's signal 0…1, by the root of its light 0…1.
    package var signal: [Double]

    /// - Parameters:
    ///   - light: 4096 numbers.
    ///   - primaries: nine numbers.
    package init(
        light: [Double],
        sceneGain: [Double],
        luminance: [Double],
        primaries: [Double],
        peak: Double,
        gain: [Double],
        signal: [Double]
    ) {
        precondition(light.count == 4096 && luminance.count == 3 && primaries.count == 9)
        precondition(gain.count > 1 && signal.count > 1 && sceneGain.count != 1)
        self.light = light
        self.sceneGain = sceneGain
        self.luminance = luminance
        self.primaries = primaries
        self.peak = peak
        self.gain = gain
        self.signal = signal
    }

    /// A row of 16-bit samples of red, green and blue that is read.
    package typealias Row = (UnsafeBufferPointer<UInt16>, UnsafeBufferPointer<UInt16>, UnsafeBufferPointer<UInt16>)
    /// A row of 16-bit samples of red, green and blue that is written.
    package typealias MutableRow = (
        UnsafeMutableBufferPointer<UInt16>, UnsafeMutableBufferPointer<UInt16>, UnsafeMutableBufferPointer<UInt16>
    )

    /// Maps a row of pixels.
    /// - Precondition: all six buffers have one length.
    package func map(_ source: Row, into target: MutableRow) {
        let count = source.0.count
        precondition(source.1.count == count && source.2.count == count)
        precondition(target.0.count == count && target.1.count == count && target.2.count == count)
        for x in 0..<count {
            var (r, g, b) = (
                light[Int(source.0[x] >> 4)], light[Int(source.1[x] >> 4)], light[Int(source.2[x] >> 4)]
            )
            if !sceneGain.isEmpty {
                let bright = luminance[0] * r + luminance[1] * g + luminance[2] * b
                let gain = ToneMap.value(sceneGain, at: bright.squareRoot())
                (r, g, b) = (r * gain, g * gain, b * gain)
            }
            let red = max(0, primaries[0] * r + primaries[1] * g + primaries[2] * b)
            let green = max(0, primaries[3] * r + primaries[4] * g + primaries[5] * b)
            let blue = max(0, primaries[6] * r + primaries[7] * g + primaries[8] * b)
            let factor = ToneMap.value(gain, at: (max(red, green, blue) / peak).squareRoot())
            target.0[x] = code(red * factor)
            target.1[x] = code(green * factor)
            target.2[x] = code(blue * factor)
        }
    }

    @inline(__always)
    private func code(_ light: Double) -> UInt16 {
        UInt16(ToneMap.value(signal, at: min(1, light).squareRoot()) * 65535 + 0.5)
    }

    /// - Parameter place: 0…1; what is above counts as 1.
    @inline(__always)
    private static func value(_ table: [Double], at place: Double) -> Double {
        let last = table.count - 1
        let exact = min(1, place) * Double(last)
        let index = min(Int(exact), last - 1)
        return table[index] + (table[index + 1] - table[index]) * (exact - Double(index))
    }
}
