import Foundation

/// The error of a decoded sound beside what was encoded, in windows of a millisecond: a click stands out of its own
/// window, while over thousands of samples it would be lost among what the codec leaves out.
struct LocalError {
    /// Samples of a window at 48 kHz; windows overlap by half.
    static let window = 48
    /// What a window may have above the loudest one near it in the sound that was encoded in one go: 6 dB.
    private static let room = 4.0
    /// Windows before and behind one that are near it: 21 ms, the length of a frame of AAC.
    static let reach = 42
    /// A sixteenth of a step of 16 bits, squared.
    private static let floor = 3.6e-12

    /// Mean squares in each window: of the error, and of its third difference, which sees steps and single samples and
    /// nearly nothing of what a codec does to low tones.
    private let plain: [Double]
    private let sharp: [Double]

    /// - Parameter truth: as many samples, at full scale 1.
    init(_ samples: [Float], truth: [Float]) {
        let error = zip(samples, truth).map { Double($0) - Double($1) }
        var difference = error
        for _ in 0..<3 { difference = zip([0] + difference, difference).map { $1 - $0 } }
        plain = LocalError.squares(error)
        // A single sample has 20 times its square in a third difference.
        sharp = LocalError.squares(difference.map { $0 / 20.squareRoot() })
    }

    private static func squares(_ values: [Double]) -> [Double] {
        stride(from: 0, to: values.count - window, by: window / 2).map { start in
            values[start..<start + window].reduce(0) { $0 + $1 * $1 } / Double(window)
        }
    }

    /// The samples within `distance` of `border` at which this error is louder than any near them in `single`.
    /// - Parameter reach: the windows before and behind one that are near it.
    func outstanding(
        near border: Int,
        distance: Int,
        beside single: LocalError,
        reach: Int = LocalError.reach
    ) -> [Int] {
        let half = LocalError.window / 2
        let last = min(plain.count, single.plain.count) - 1
        let windows = max(0, (border - distance) / half)...min(last, (border + distance) / half)
        return windows.filter { place in
            let near = max(0, place - reach)...min(last, place + reach)
            func isAbove(_ own: [Double], _ other: [Double]) -> Bool {
                own[place] > LocalError.room * near.reduce(LocalError.floor) { max($0, other[$1]) }
            }
            return isAbove(plain, single.plain) || isAbove(sharp, single.sharp)
        }.map { $0 * half }
    }
}

/// What a bad join does to a sound; each must be found, or a test that finds nothing says nothing.
enum JoinFault: CaseIterable {
    /// One sample is off by a thousandth of full scale, −60 dBFS.
    case click
    /// A sample is missing, and all behind it is early.
    case lost
    /// A sample is there twice, and all behind it is late.
    case doubled

    /// `samples` with the fault at `place`, as many as before.
    func applied(to samples: [Float], at place: Int) -> [Float] {
        var samples = samples
        switch self {
        case .click: samples[place] += samples[place] > 0 ? -0.001 : 0.001
        case .lost: samples.append(samples.remove(at: place))
        case .doubled:
            samples.insert(samples[place], at: place)
            samples.removeLast()
        }
        return samples
    }
}
