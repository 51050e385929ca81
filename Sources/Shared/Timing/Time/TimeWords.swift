/// The form in which messages write times.
package enum TimeWords {
    /// Seconds with at most six decimals, `"2.48 s"`. A value that six decimals do not hold exactly is rounded and
    /// marked: `"≈ 0.033367 s"`.
    package static func seconds(_ time: RationalTime) -> String {
        let scaled = Int128(time.numerator) * 1_000_000
        let (millionths, isExact) = Rounding.halfAwayFromZero.divide(scaled, by: Int128(time.denominator))
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(String(1_000_000 + rest).dropFirst())
        let decimals = String(digits.reversed().drop { $0 == "0" }.reversed())
        let sign = millionths < 0 ? "-" : ""
        return (isExact ? "" : "≈ ") + sign + "\(whole)" + (decimals.isEmpty ? "" : ".\(decimals)") + " s"
    }

    /// The time of a sample, rounded to the millisecond and written as by ``seconds(_:)``.
    /// - Parameter start: The time of sample 0, in seconds.
    package static func seconds(sample: Int64, at rate: Int, after start: RationalTime = .zero) -> String {
        let time = (try? RationalTime(sample, Int64(rate)).adding(start)) ?? start
        let scaled = Int128(time.numerator) * 1000
        let (thousandths, _) = Rounding.halfAwayFromZero.divide(scaled, by: Int128(time.denominator))
        return seconds((try? RationalTime(Int64(clamping: thousandths), 1000)) ?? time)
    }

    /// The texts of several times, each written by ``seconds(_:)``. When two different times would read the same, all
    /// are written as exact fractions.
    package static func distinct(_ times: RationalTime...) -> [String] {
        let texts = times.map(seconds)
        // "≈ 2 s" and "2 s" are different texts, but a reader cannot see how far apart the times are.
        let numbers = Set(texts.map { $0.hasPrefix("≈ ") ? String($0.dropFirst(2)) : $0 })
        guard numbers.count < Set(times).count else { return texts }
        return times.map { $0.denominator == 1 ? "\($0.numerator) s" : "\($0.numerator)/\($0.denominator) s" }
    }

    /// A frame number with its time: `"frame 62 (2.48 s)"`. The time is left out when it overflows.
    package static func frame(_ frame: Int64, at rate: FrameRate) -> String {
        let time = try? rate.time(ofFrame: frame)
        return "frame \(frame)" + (time.map { " (\(seconds($0)))" } ?? "")
    }
}
