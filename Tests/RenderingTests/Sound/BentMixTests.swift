import CompositionModel
import Foundation
import Testing
import Timing

@testable import Rendering

/// Sound along a speed that changes, against plain sums of its formula and against what a tone must become.
@Suite struct BentMixTests {
    private static let stream = SoundStream(asset: 0, index: 0)

    /// One clip along `curve` from source sample `sourceStart` on.
    private func mixed(
        _ curve: SoundCurve,
        count: Int64,
        from sourceStart: Int64 = 0,
        rate: Int = 48_000,
        isKept: Bool = false,
        _ signal: @escaping (Int64) -> Double
    ) throws -> [Double] {
        var clip = AudioTrackSegment.clip(at: 0, count: count, from: sourceStart)
        (clip.curve, clip.keepsPitch) = (curve, isKept ? true : nil)
        let plan = try MixPlan(.mix([AudioTrack([clip])], count: count), sampleRate: { _ in rate })
        let source = SyntheticSource { sample, _ in signal(sample) }
        return try SoundMixer(plan, sources: [Self.stream: source]).samples(0..<count)[0]
    }

    /// Speeds along a line between each two: seconds and speeds. Ways by their exact integral.
    private func curve(_ keys: [(seconds: Double, speed: Double)], rate: Int = 48_000) -> SoundCurve {
        var curve = SoundCurve(samples: [], positions: [], speeds: [])
        var way = 0.0
        for (index, key) in keys.enumerated() {
            if index > 0 {
                let last = keys[index - 1]
                way += (key.seconds - last.seconds) * (key.speed + last.speed) / 2
            }
            curve.samples.append(Int64((key.seconds * 48_000_000_000).rounded()))
            curve.positions.append(Int64((way * Double(rate) * 1_000_000).rounded()))
            curve.speeds.append(Int64((key.speed * 1_000_000).rounded()))
        }
        return curve
    }

    /// Source seconds after `time`, and the speed there.
    private func integral(_ keys: [(seconds: Double, speed: Double)], to time: Double) -> (way: Double, speed: Double) {
        var way = 0.0
        for (here, next) in zip(keys, keys.dropFirst()) {
            let slope = (next.speed - here.speed) / (next.seconds - here.seconds)
            let span = min(time, next.seconds) - here.seconds
            way += here.speed * span + slope * span * span / 2
            if time < next.seconds { return (way, here.speed + slope * span) }
        }
        return (way + (keys.last?.speed ?? 0) * (time - (keys.last?.seconds ?? 0)), keys.last?.speed ?? 0)
    }

    private static let keys: [(seconds: Double, speed: Double)] = [(0, 1), (0.3, 2), (0.5, 2), (0.9, 0.5), (1.2, -1.5)]

    /// Every sample is Σ x[k] · h((p − k) / s) / Σ h((p − k) / s), with the cosine, sine and powers of the C library.
    @Test(arguments: [48_000, 44_100, 96_000]) func noiseIsTheSumOfItsFormula(rate: Int) throws {
        let signal = { (sample: Int64) in SyntheticSource.noise(sample, 0) }
        let output = try mixed(curve(Self.keys, rate: rate), count: 62_400, from: 1000, rate: rate, signal)
        func bessel(_ x: Double) -> Double {
            var (sum, term, n) = (1.0, 1.0, 1.0)
            while term > sum * 1e-18 {
                term *= (x / 2 / n) * (x / 2 / n)
                sum += term
                n += 1
            }
            return sum
        }
        var worst = 0.0
        for sample in stride(from: 0, to: 62_400, by: 617) {
            let found = integral(Self.keys, to: Double(sample) / 48_000)
            let place = 1000 + found.way * Double(rate)
            let scale = max(1, abs(found.speed) * Double(rate) / 48_000)
            var (sum, weights) = (0.0, 0.0)
            for k in Int64(place - 97 * scale)...Int64(place + 97 * scale) {
                let distance = (place - Double(k)) / scale
                guard abs(distance) < 96 else { continue }
                let x = Double.pi * distance * 841 / 882
                let sinc = x == 0 ? 1 : sin(x) / x
                let weight = sinc * bessel(14 * (1 - distance / 96 * distance / 96).squareRoot())
                weights += weight
                sum += weight * (k < 0 ? 0 : signal(k))
            }
            worst = max(worst, abs(output[sample] - sum / weights))
        }
        #expect(worst < 1e-7, "\(worst)")
    }

    /// A tone of f sounds at f times the speed: its phase is that of the integral, at every sample, forwards and
    /// backwards.
    @Test(arguments: [48_000, 44_100]) func aToneFollowsTheSpeed(rate: Int) throws {
        let frequency = 997.0
        let output = try mixed(curve(Self.keys, rate: rate), count: 62_400, from: Int64(rate), rate: rate) {
            sin(2 * .pi * frequency * Double($0) / Double(rate))
        }
        var worst = 0.0
        for sample in output.indices {
            let way = 1 + integral(Self.keys, to: Double(sample) / 48_000).way
            worst = max(worst, abs(output[sample] - sin(2 * .pi * frequency * way)))
        }
        #expect(20 * log10(worst) < -100, "\(worst)")
        // The frequency itself, between the tone's zeros on the way from 1 to 2.
        let zeros = (1..<14_400).filter { output[$0 - 1] < 0 && output[$0] >= 0 }.map { place in
            Double(place) - output[place] / (output[place] - output[place - 1])
        }
        for (start, end) in zip(zeros, zeros.dropFirst(40)) {
            let found = 40 / (end - start) * 48_000
            let expected = frequency * integral(Self.keys, to: (start + end) / 2 / 48_000).speed
            #expect(abs(1200 * log2(found / expected)) < 1, "\(start)")
        }
    }

    /// What the speed brings above the Nyquist frequency is gone, not folded back; below, it is all there.
    @Test(arguments: [15_000.0, 9000]) func nothingFoldsBack(frequency: Double) throws {
        let keys = [(seconds: 0.0, speed: 1.0), (1, 5)]
        let output = try mixed(curve(keys), count: 48_000, from: 9000) {
            sin(2 * .pi * frequency * Double($0) / 48_000)
        }
        var (loudest, quietest) = (0.0, 1.0)
        for start in stride(from: 0, to: 48_000, by: 200) {
            let peak = output[start..<start + 200].map(abs).max() ?? 0
            let (first, last) = (1 + Double(start) / 12_000, 1 + Double(start + 200) / 12_000)
            if frequency * first > 24_000 { loudest = max(loudest, peak) }
            if frequency * last < 20_000 * 48 / 44.1, start > 0 { quietest = min(quietest, peak) }
        }
        #expect(20 * log10(loudest) < -110, "\(20 * log10(loudest)) dB")
        #expect(quietest > 0.99)
    }

    /// A speed that does not change, written as a curve, gives what the speed itself gives.
    @Test func aStraightCurveIsASpeed() throws {
        let speed = try RationalTime(3, 2)
        var clip = AudioTrackSegment.clip(at: 0, count: 20_000, from: 777)
        clip.speed = speed
        let plan = try MixPlan(.mix([AudioTrack([clip])], count: 20_000), sampleRate: { _ in 48_000 })
        let source = SyntheticSource { sample, _ in SyntheticSource.noise(sample, 0) }
        let expected = try SoundMixer(plan, sources: [Self.stream: source]).samples(0..<20_000)[0]
        let found = try mixed(curve([(0, 1.5), (1, 1.5)]), count: 20_000, from: 777) { SyntheticSource.noise($0, 0) }
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-7 })
    }

    /// The sound halts without a step: 5 ms before, and goes on as softly.
    @Test func aHaltIsSilentWithoutAClick() throws {
        var halt = curve([(0, 1), (0.25, 1)])
        for (seconds, speed) in [(0.25, 0.0), (0.75, 0), (0.75, 1)] {
            halt.samples.append(Int64(seconds * 48_000_000_000))
            halt.positions.append(12_000_000_000)
            halt.speeds.append(Int64(speed * 1_000_000))
        }
        let tone = { (sample: Int64) in cos(2 * .pi * 100 * Double(sample) / 48_000) }
        let output = try mixed(halt, count: 48_000, tone)
        #expect(output[12_000...36_000].allSatisfy { $0 == 0 })
        #expect(abs(output[11_000] - tone(11_000)) < 1e-7 && abs(output[37_000] - tone(13_000)) < 1e-7)
        let steps = zip(output[1000...], output[1001...]).map { abs($0 - $1) }
        // The tone's own are 0.0131, those of the fade up to 1.5 in 240 samples.
        #expect((steps.max() ?? 1) < 0.0131 + 1.5 / 240)
        // A pitch that is kept and held sounds on.
        halt.holds = true
        let held = try mixed(halt, count: 48_000, isKept: true, tone)
        let power = held[20_000..<30_000].reduce(0) { $0 + $1 * $1 } / 10_000
        #expect(abs(power - 0.5) < 0.1)
    }

    /// Twice as fast, then half as fast, then backwards: the tone stays where it is.
    @Test(arguments: [48_000, 44_100]) func aKeptPitchStays(rate: Int) throws {
        let keys = [(seconds: 0.0, speed: 1.0), (1, 2), (2, 0.5), (3, -1), (4, -1)]
        for frequency in [220.0, 997] {
            let output = try mixed(curve(keys, rate: rate), count: 192_000, from: Int64(rate), rate: rate, isKept: true)
            {
                sin(2 * .pi * frequency * Double($0) / Double(rate)) / 2
            }
            for start in stride(from: 4000, to: 180_000, by: 9000) {
                // Where the direction changes two frames meet that cannot go on as one.
                guard !(120_000..<138_000).contains(start) else { continue }
                let part = output[start..<start + 9000]
                let zeros = part.indices.dropFirst().filter { output[$0 - 1] < 0 && output[$0] >= 0 }.map { place in
                    Double(place) - output[place] / (output[place] - output[place - 1])
                }
                let (first, last) = try (#require(zeros.first), #require(zeros.last))
                let found = Double(zeros.count - 1) / (last - first) * 48_000
                #expect(abs(1200 * log2(found / frequency)) < 10, "\(frequency) Hz at \(start): \(found)")
                let power = part.reduce(0) { $0 + $1 * $1 } / 9000
                #expect(abs(power - 0.125) < 0.03, "\(start): \(power)")
            }
        }
    }

    /// Bursts of the source come when the curve says: to half a frame, and what frames are shifted by.
    @Test func aKeptPitchIsInTime() throws {
        let keys = [(seconds: 0.0, speed: 1.0), (1, 2), (2, 0.5)]
        let output = try mixed(curve(keys), count: 96_000, isKept: true) { sample in
            abs(sample % 24_000 - 12_000) < 1500 ? sin(Double(sample) / 20) : 0
        }
        for second in [0.25, 0.75, 1.25, 1.75, 2.25] {
            let expected = (0..<96_000).first { integral(keys, to: Double($0) / 48_000).way >= second } ?? 0
            let about = max(0, expected - 4000)..<min(96_000, expected + 4000)
            let weight = about.reduce(0) { $0 + abs(output[$1]) }
            let moment = about.reduce(0) { $0 + abs(output[$1]) * Double($1) }
            #expect(weight > 100 && abs(moment / weight - Double(expected)) < 960, "\(second)")
        }
    }

    @Test func whatCannotBeIsRefused() throws {
        func refusal(_ change: (inout AudioTrackSegment) -> Void) -> String? {
            var clip = AudioTrackSegment.clip(at: 0, count: 1000, from: 0)
            clip.curve = curve([(0, 1), (1, 2)])
            change(&clip)
            do {
                _ = try MixPlan(.mix([AudioTrack([clip])], count: 1000), sampleRate: { _ in 48_000 })
                return nil
            } catch { return (error as? RenderError)?.failure.code }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.speed = RationalTime(whole: 2) } == "invalid_sound_task")
        #expect(refusal { $0.loop = SampleLoop(start: 0, count: 100) } == "invalid_sound_task")
        #expect(refusal { $0.count = 1 << 45 } == "invalid_sound_task")
        #expect(refusal { $0.curve?.positions = [0] } == "invalid_sound_task")
        #expect(refusal { $0.curve?.speeds = [70_000_000, 70_000_000] } == "unsupported_sample_rate")
    }
}
