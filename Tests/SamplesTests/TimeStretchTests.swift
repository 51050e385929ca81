import Testing
import Timing

@testable import Samples

@Suite struct TimeStretchTests {
    func stretched(_ input: [[Double]], by speed: (Int64, Int64), count: Int, pieces: Int = 1) throws -> [[Double]] {
        let stretch = TimeStretch(speed: speed, channels: input.count, sampleRate: 48_000) { range, channels in
            for (channel, samples) in zip(channels, input) {
                for (place, sample) in range.enumerated() {
                    channel[place] = samples.indices.contains(Int(sample)) ? samples[Int(sample)] : 0
                }
            }
        }
        var output = input.map { _ in [Double](repeating: 0, count: count) }
        for piece in 0..<pieces {
            let range = count * piece / pieces..<count * (piece + 1) / pieces
            let buffers = input.map { _ in SampleBuffer.allocate(capacity: range.count) }
            for buffer in buffers { buffer.initialize(repeating: 0) }
            try stretch.read(Int64(range.lowerBound)..<Int64(range.upperBound), into: buffers)
            for (index, buffer) in buffers.enumerated() {
                output[index].replaceSubrange(range, with: buffer)
                buffer.deallocate()
            }
        }
        return output
    }

    @Test func speedOneChangesNothing() throws {
        let input = [noise(100_000, seed: 5)]
        let output = try stretched(input, by: (1, 1), count: 90_000)
        let error = zip(input[0], output[0]).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 1e-12)
    }

    @Test func piecesAreTheWhole() throws {
        let input = [noise(100_000, seed: 5), sine(100_000, frequency: 200)]
        let whole = try stretched(input, by: (4, 3), count: 60_000)
        #expect(try stretched(input, by: (4, 3), count: 60_000, pieces: 7) == whole)
    }

    /// Cents between the tone that went in and the one that came out, by the turns of its phase over a second.
    @Test(arguments: [(1, 2), (3, 4), (5, 4), (2, 1)] as [(Int64, Int64)]) func pitchIsKept(
        speed: (Int64, Int64)
    ) throws {
        for frequency in [110.0, 440, 1500] {
            let input = sine(400_000, frequency: frequency, gain: 0.5)
            let output = try stretched([input], by: speed, count: 100_000)[0]
            let measured = Self.frequency(Array(output[20_000..<84_000]), near: frequency)
            let cents = 1200 * ExactMath.log2(measured / frequency)
            #expect(abs(cents) < 1, "\(frequency) Hz: \(cents)")
            let peak = output[20_000..<84_000].map { abs($0) }.max() ?? 0
            #expect(abs(peak - 0.5) < 0.02)
        }
    }

    /// A click every half second of the source comes where the speed says, within the search.
    @Test func eventsLieWhereTheSpeedSays() throws {
        var input = noise(480_000, seed: 8).map { $0 * 0.001 }
        for click in stride(from: 24_000, to: 480_000, by: 24_000) { for n in 0..<200 { input[click + n] = 0.9 } }
        let output = try stretched([input], by: (3, 4), count: 600_000)[0]
        for click in 1...18 {
            let expected = click * 32_000
            let found = try #require((expected - 2000..<expected + 2000).first { output[$0] > 0.3 })
            #expect(abs(found - expected) < 1440)
        }
    }

    /// Of a hundred clicks over a quiet chord, those that come out half as loud at least within 20 ms of where the
    /// speed says, once each.
    @Test(arguments: [(5, 4), (4, 3), (1201, 960), (7, 4), (2, 1), (3, 1)] as [(Int64, Int64)]) func clicksSurvive(
        speed: (Int64, Int64)
    ) throws {
        let ratio = Double(speed.0) / Double(speed.1)
        let distance = max(0.25, 0.13 * ratio)
        let jitter = noise(100, seed: 4)
        let clicks = (0..<100).map { Int((distance * Double($0 + 1) + 0.05 * jitter[$0]) * 48_000) }
        let count = clicks[99] + 48_000
        var input = zip(sine(count, frequency: 220), sine(count, frequency: 277.2)).map { 0.03 * ($0 + $1) }
        for click in clicks {
            for n in 0..<48 {
                input[click + n] += 0.9 * ExactMath.cosPi(Double(n) / 8) * ExactMath.exp2(-Double(n) / 10)
            }
        }
        let output = try stretched([input], by: speed, count: Int(Double(count) / ratio) - 4800)[0]
        var (whole, twice) = (0, 0)
        for click in clicks {
            let place = Int(Double(click) / ratio)
            let around = (max(place - 960, 0)..<min(place + 960, output.count)).map { abs(output[$0]) }
            let top = around.indices.max { around[$0] < around[$1] } ?? 0
            if around[top] >= 0.45 { whole += 1 }
            let others = around.indices.filter { abs($0 - top) > 240 && around[$0] >= 0.45 }
            if !others.isEmpty { twice += 1 }
        }
        #expect(whole >= 95 && twice <= 3, "\(whole) of 100, \(twice) of them twice")
    }

    /// A voice's pulses are no attacks: it is what it was without a search for them.
    @Test func aVoiceHasNoAttacks() {
        let finder = AttackFinder(hop: 960, search: 480)
        for period in [200, 400, 640] {
            let pulses = (0..<4800).map { ExactMath.exp2(-Double(($0 + 37) % period) / 60) }
            #expect(finder.shifts(in: pulses, first: 0, distances: (1920, 1920)) == -480...480, "\(period)")
        }
        var click = [Double](repeating: 0.001, count: 4800)
        click[2400 + 700] = 0.5
        let shifts = finder.shifts(in: click, first: 0, distances: (1920, 1920))
        #expect(shifts.contains(700) && shifts.count == 481)
        let left = finder.shifts(in: click, first: 0, distances: (1200, 1200))
        #expect(left == -480...120, "left to the next frame")
    }

    /// Wherever it is, of two frames one takes it, whatever the distance.
    @Test(arguments: [1200, 1201, 1280, 1999, 2400]) func anAttackBelongsToOneFrame(distance: Int) {
        let finder = AttackFinder(hop: 960, search: 480)
        for place in stride(from: 2400, to: 2400 + distance, by: 7) {
            let takers = (0..<2).filter { frame in
                let first = frame * distance
                var samples = [Double](repeating: 0.001, count: 4800)
                guard samples.indices.contains(place - first) else { return false }
                samples[place - first] = 0.5
                let shifts = finder.shifts(in: samples, first: Int64(first), distances: (distance, distance))
                return shifts.count <= 481 && shifts.contains((place - first) / 48 * 48 - 2400)
                    && shifts.upperBound != 480 && shifts.lowerBound != -480
            }
            #expect(takers.count == 1, "\(place): \(takers)")
        }
    }

    /// By the phase of the tone in windows a second apart.
    static func frequency(_ samples: [Double], near frequency: Double) -> Double {
        let phase = { (start: Int) -> Double in
            var (real, imaginary) = (0.0, 0.0)
            for n in 0..<16_000 {
                let window = 1 - ExactMath.cosPi(2 * Double(n) / 16_000)
                let turn = 2 * frequency * Double(start + n) / 48_000
                real += samples[start + n] * window * ExactMath.cosPi(turn)
                imaginary -= samples[start + n] * window * ExactMath.sinPi(turn)
            }
            return turns(imaginary, real)
        }
        var drift = phase(48_000) - phase(0)
        drift -= drift.rounded()
        return frequency + drift
    }

    /// atan2 in turns, by bisection on the unit circle: tests need no speed.
    static func turns(_ y: Double, _ x: Double) -> Double {
        let size = (x * x + y * y).squareRoot()
        var (low, high) = (-0.5, 0.5)
        let cosine = x / size
        // On the half circle of y's sign the cosine falls from 1 to −1.
        (low, high) = (0, 0.5)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if ExactMath.cosPi(2 * middle) > cosine { low = middle } else { high = middle }
        }
        return y < 0 ? -low : low
    }
}
