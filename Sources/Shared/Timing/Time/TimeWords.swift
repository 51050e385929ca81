/// How messages write times.
public enum TimeWords {
    /// Seconds with at most six decimals, `"2.48 s"`; `"≈ 0.033367 s"` when that is not exact.
    public static func seconds(_ time: RationalTime) -> String {
        let scaled = Int128(time.numerator) * 1_000_000
        let (millionths, isExact) = Rounding.halfAwayFromZero.divide(scaled, by: Int128(time.denominator))
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(String(1_000_000 + rest).dropFirst())
        let decimals = String(digits.reversed().drop { $0 == "0" }.reversed())
        let sign = millionths < 0 ? "-" : ""
        return (isExact ? "" : "≈ ") + sign + "\(whole)" + (decimals.isEmpty ? "" : ".\(decimals)") + " s"
    }

    /// A sample's time to a millisecond, as ``seconds(_:)`` writes it.
    /// - Parameter start: time of sample 0.
    public static func seconds(sample: Int64, at rate: Int, after start: RationalTime = .zero) -> String {
        let time = (try? RationalTime(sample, Int64(rate)).adding(start)) ?? start
        let scaled = Int128(time.numerator) * 1000
        let (thousandths, _) = Rounding.halfAwayFromZero.divide(scaled, by: Int128(time.denominator))
        return seconds((try? RationalTime(Int64(clamping: thousandths), 1000)) ?? time)
    }

    /// Each as ``seconds(_:)`` writes it; all as exact fractions where two that differ would look the same.
    package static func distinct(_ times: RationalTime...) -> [String] {
        let texts = times.map(seconds)
        // "≈ 2 s" and "2 s" are two texts, but nobody sees by how much they differ.
        let numbers = Set(texts.map { $0.hasPrefix("≈ ") ? String($0.dropFirst(2)) : $0 })
        guard numbers.count < Set(times).count else { return texts }
        return times.map { $0.denominator == 1 ? "\($0.numerator) s" : "\($0.numerator)/\($0.denominator) s" }
    }

    /// `"frame 62 (2.48 s)"`.
    package static func frame(_ frame: Int64, at rate: FrameRate) -> String {
        let time = try? rate.time(ofFrame: frame)
        return "frame \(frame)" + (time.map { " (\(seconds($0)))" } ?? "")
    }
}
