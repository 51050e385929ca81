import CompositionModel
import EditSamples
import TestSupport
import Testing

@testable import Planning
@testable import Timing

/// Keyframe borders of sources that run at other speeds.
@Suite struct RetimedBordersTests {
    /// Looking only at the keyframes that matter finds what looking at every one finds: with random keyframes, at
    /// several rates, also in a source whose frames have times of their own, some of which are seen a tick early.
    @Test(arguments: ["2", "-1", "7/3", "1/3", "-1/2", "-13/5", "25", "-30", "60", "611/7", "-999", "3600"])
    func skippingFindsWhatLookingAtEachFinds(speed: String) throws {
        var count = 0
        for seed in TestSeeds.asked(usual: 8, thorough: 200) {
            var random = SplitMix(seed: UInt64(seed))
            let rate = ["25", "30000/1001", "60", "1"][random.below(4)]
            for stream in try streams(&random) {
                let walk = try Walk(stream, seconds: 300 + random.below(300), speed: speed, rate: rate)
                let borders = try walk.borders()
                #expect(try walk.found() == borders, "seed \(seed), \(rate) frames a second")
                count += borders.count
            }
        }
        #expect(count > 0)
    }

    /// A source of ten hours that plays 3,600 times as fast, all of whose frames are keyframes, costs three steps a second.
    @Test func aFastSourceCostsWhatItShows() throws {
        var stream = SampleAsset.video(rate: try FrameRate(25), seconds: 36_000)
        stream.keyframes = (0..<stream.frameCount).map(\.self)
        let walk = try Walk(stream, seconds: 36_000, speed: "3600", rate: "25")
        let meter = WorkMeter()
        let found = try WorkMeter.$current.withValue(meter) { try walk.found() }
        #expect(found.map(\.frame) == stride(from: 8, to: 257, by: 25).map { $0 })
        #expect(meter.steps <= 3 * found.count)
    }

    /// Ten minutes each: one of a constant rate, and one whose frames last 33 or 34 ms.
    private func streams(_ random: inout SplitMix) throws -> [VideoStreamFacts] {
        [
            SampleAsset.video(rate: try FrameRate([24, 25, 50][random.below(3)]), seconds: 600),
            SampleAsset.variable(ticks: [33, 34, 33], count: 18_000, gop: 50),
        ].map { stream in
            var stream = stream
            let gap = [2, 50, 400][random.below(3)]
            stream.keyframes = [0]
            while let last = stream.keyframes.last, last + Int64(gap) < stream.frameCount {
                stream.keyframes.append(last + 1 + Int64(random.below(gap)))
            }
            return stream
        }
    }
}

/// A single clip that runs at another speed.
private struct Walk {
    let candidates: BorderCandidates
    let run: SliceInstruction
    let source: SliceSource
    let stream: VideoStreamFacts
    let speed: RationalTime
    let second: Int64

    /// - Parameter seconds: How much of the source is played. Speeds that an edit may not ask for are fine.
    init(_ stream: VideoStreamFacts, seconds: Int, speed: String, rate: String) throws {
        let item = #"{ "asset": "a", "duration": "1f", "sound": false, "speed": 2 }"#
        let compiled = try Compiled(
            editText([item], assets: ["a"], rate: rate),
            ["a": SampleAsset.asset("a", [stream])]
        )
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        let table = try AssetTable(composition, facts: compiled.facts, size: composition.format.size)
        let runs = try PictureRuns(composition, size: composition.format.size, facts: table).resolved()
        let frameRate = composition.format.frameRate
        candidates = try BorderCandidates(runs, assets: table, rate: frameRate, rule: .standard)

        let parts = speed.split(separator: "/").compactMap { Int64($0) }
        self.speed = try RationalTime(parts[0], parts.count > 1 ? parts[1] : 1)
        var source = try #require(runs.first?.layers.first?.from)
        source.speed = self.speed
        source.start = self.speed.isNegative ? RationalTime(whole: Int64(seconds)) : try RationalTime(3, 10)
        let length = try RationalTime(whole: Int64(seconds)).divided(by: self.speed)
        let count = abs(try frameRate.frame(at: length, rounding: .down).value)
        var run = try #require(runs.first)
        run.frames = FrameRange(start: 7, count: count)
        run.layers[0].from = source
        (self.run, self.source, self.stream) = (run, source, stream)
        second = try frameRate.frame(at: RationalTime(whole: 1), rounding: .up).value
    }

    func found() throws -> [BorderCandidate] { try candidates.keyframes(of: source, at: speed, in: run) }

    /// The same by looking at every keyframe.
    func borders() throws -> [BorderCandidate] {
        let end = try source.advanced(by: run.frames.count, frameDuration: candidates.rate.frameDuration).start
        let played = try stream.keyframes.filter { keyframe in
            let time = try stream.time(ofFrame: keyframe)
            return time >= min(source.start, end) && time < max(source.start, end)
        }
        var borders: [BorderCandidate] = []
        for keyframe in speed.isNegative ? played.reversed() : played {
            let offset = try candidates.border(at: keyframe, of: stream, source: source)
            guard offset > 0, offset < run.frames.count,
                borders.last.map({ run.frames.start + offset - $0.frame >= second }) ?? true,
                try candidates.isBorder(keyframe, of: stream, at: offset, source: source)
            else { continue }
            let time = try stream.time(ofFrame: keyframe)
            borders.append(candidates.candidate(.keyframe, at: run.frames.start + offset, source: source, time: time))
        }
        return borders
    }
}
