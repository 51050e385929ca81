import ArgumentParser

/// A span of time on the command line: a whole number and a unit, such as `90s`, `30m`, `24h` or `90d`.
struct SpanArgument: ExpressibleByArgument, Hashable {
    /// The span in seconds, from 0 to a hundred years.
    let seconds: Int64

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    private static let longest: Int64 = 36_525 * 86_400

    /// Reads the argument; nil for anything but a whole number from 0 on with a unit, and beyond a hundred years.
    init?(argument: String) {
        guard let last = argument.last, let unit = Self.units[last], let number = Int64(argument.dropLast()),
            (0...Self.longest / unit).contains(number)
        else { return nil }
        seconds = number * unit
    }

    init(hours: Int64) { seconds = hours * 3600 }

    var defaultValueDescription: String { "\(seconds / 3600)h" }
}
