import Timing

/// Plays sound slower or faster at its own pitch: frames of 40 ms are taken from where the speed says, shifted by up to
/// 10 ms so that each goes on as the one before it would have (WSOLA: W. Verhelst and M. Roelands, ICASSP 1993).
/// ```
///  source   [ p )( p )       the frame before, and how it would go on
///               └ compared with every place within ±10 ms of c
///  output   [ 0 )[ 1 )[ 2 )  one frame every 20 ms, half of each overlapping (Hann)
/// ```
/// Played faster than 6/5, a frame may be shifted further, so that an attack is in one frame (``AttackFinder``). Where
/// a frame is taken from depends on the frame before it, back to the start: what is asked for must go forwards, or it
/// begins anew from there.
package final class TimeStretch {
    /// Fills buffers with source samples, 0 = the first; silence where there are none.
    package typealias Source = (_ range: Range<Int64>, _ channels: [SampleBuffer]) throws -> Void
    /// The source sample at an output sample, and whether it runs backwards there: then the frame about it is turned
    /// around.
    package typealias Path = (_ sample: Int64) -> (sample: Int64, isBackwards: Bool)

    private let channels: Int
    private let path: Path
    private let hop: Int
    private let search: Int
    private let window: [Double]
    private let source: Source
    private let matcher: FrameMatcher
    private let attacks: AttackFinder
    /// The frame that was added last, the source sample at its middle, and what is complete of the output before it: of
    /// the last few frames, because a resampler reads a little twice.
    private var frame: Int64 = -1
    private var middle: Int64 = 0
    private var isBackwards = false
    private var done: [[Double]]
    private var open: [[Double]]

    /// Source samples before and after a frame's middle that it may be made of, or be compared with.
    package static func reach(sampleRate: Int) -> Int { 2 * hop(sampleRate) + search(sampleRate) }

    /// Frames whose output is kept.
    private static let kept = 16

    private static func hop(_ sampleRate: Int) -> Int { max(sampleRate / 200 * 4, 16) }
    private static func search(_ sampleRate: Int) -> Int { max(sampleRate / 400 * 4, 8) }

    /// - Parameters:
    ///   - speed: source samples for an output sample, as a fraction; 0 stays at the sample ``reach(sampleRate:)``.
    package convenience init(
        speed: (numerator: Int64, denominator: Int64),
        channels: Int,
        sampleRate: Int,
        source: @escaping Source
    ) {
        let (numerator, denominator) = speed
        let held = Int64(Self.reach(sampleRate: sampleRate))
        let path: Path = { sample in
            // The nearest one, half away from zero.
            guard numerator > 0 else { return (held, false) }
            let twice = 2 * Int128(sample) * Int128(numerator) + Int128(denominator)
            return (Int64(twice / (2 * Int128(denominator))), false)
        }
        self.init(along: path, channels: channels, sampleRate: sampleRate, source: source)
    }

    /// - Parameter path: for the samples in the middles of frames.
    package init(along path: @escaping Path, channels: Int, sampleRate: Int, source: @escaping Source) {
        self.channels = channels
        self.path = path
        hop = Self.hop(sampleRate)
        search = Self.search(sampleRate)
        window = (0..<2 * hop).map { [hop] in (1 - ExactMath.cosPi((Double($0) + 0.5) / Double(hop))) / 2 }
        self.source = source
        matcher = FrameMatcher(hop: hop)
        attacks = AttackFinder(hop: hop, search: search)
        done = Array(repeating: Array(repeating: 0, count: Self.kept * hop), count: channels)
        open = Array(repeating: Array(repeating: 0, count: hop), count: channels)
    }

    /// Fills `output` with its samples `range`, 0 or more.
    /// - Throws: what the source throws.
    package func read(_ range: Range<Int64>, into output: [SampleBuffer]) throws {
        if range.lowerBound < (frame - Int64(Self.kept)) * Int64(hop) { restart() }
        var place = range.lowerBound
        while place < range.upperBound {
            while place >= frame * Int64(hop) { try addFrame() }
            let start = (frame - Int64(Self.kept)) * Int64(hop)
            let part = place..<min(range.upperBound, frame * Int64(hop))
            for (index, channel) in output.enumerated() {
                for sample in part { channel[Int(sample - range.lowerBound)] = done[index][Int(sample - start)] }
            }
            place = part.upperBound
        }
    }

    private func restart() {
        frame = -1
        for index in open.indices { open[index] = Array(repeating: 0, count: hop) }
    }

    /// Adds the next frame; what lies before its middle is complete then.
    private func addFrame() throws {
        let next = frame + 1
        let wanted = path(next * Int64(hop))
        let distance = abs(path((next + 1) * Int64(hop)).sample - wanted.sample)
        let isFast = 5 * distance > 6 * Int64(hop)
        let room = isFast ? attacks.room : search
        let reach = Int64(hop + room)
        let around = try load(-reach..<reach, about: wanted.sample, isBackwards: wanted.isBackwards)
        var shift = 0
        if next > 0 {
            let before = try load(0..<Int64(hop), about: middle, isBackwards: isBackwards)
            let heard = mixed(around)
            var shifts = -search...search
            if isFast {
                let past = abs(wanted.sample - path((next - 1) * Int64(hop)).sample)
                // Backwards the source's last sample is the first.
                let first = wanted.isBackwards ? -(wanted.sample + reach) : wanted.sample - reach
                shifts = attacks.shifts(in: heard, first: first, distances: (Int(past), Int(distance)))
            }
            shift = matcher.shift(of: heard, toFollow: mixed(before), among: shifts)
        }
        frame = next
        isBackwards = wanted.isBackwards
        middle = wanted.sample + (isBackwards ? -Int64(shift) : Int64(shift))
        overlap(around, from: room + shift)
    }

    /// Adds the two hops of `samples` that begin at `first`: the first one completes what is open, the second one stays
    /// open.
    private func overlap(_ samples: [[Double]], from first: Int) {
        let last = (Self.kept - 1) * hop
        for index in 0..<channels {
            done[index].removeFirst(hop)
            done[index] += Array(repeating: 0, count: hop)
            for n in 0..<hop {
                done[index][last + n] = open[index][n] + samples[index][first + n] * window[n]
                open[index][n] = samples[index][first + hop + n] * window[hop + n]
            }
            // The first frame has none before it: it begins at its middle.
            if frame == 0 { done[index] = Array(repeating: 0, count: Self.kept * hop) }
        }
    }

    /// The samples `range` from `sample` on, as they are played.
    private func load(_ range: Range<Int64>, about sample: Int64, isBackwards: Bool) throws -> [[Double]] {
        guard isBackwards else { return try load(sample + range.lowerBound..<sample + range.upperBound) }
        let mirrored = try load(sample + 1 - range.upperBound..<sample + 1 - range.lowerBound)
        return mirrored.map { $0.reversed() }
    }

    private func load(_ range: Range<Int64>) throws -> [[Double]] {
        let buffers = (0..<channels).map { _ in SampleBuffer.allocate(capacity: range.count) }
        defer { for buffer in buffers { buffer.deallocate() } }
        for buffer in buffers { buffer.initialize(repeating: 0) }
        try source(range, buffers)
        return buffers.map { Array($0) }
    }

    private func mixed(_ samples: [[Double]]) -> [Double] {
        var sum = samples[0]
        for channel in samples.dropFirst() { for n in sum.indices { sum[n] += channel[n] } }
        return sum
    }
}
