import CompositionModel
import Planning
import Samples
import TestSupport
import Testing

@testable import Rendering

/// What plans know of processors covers what processors remember.
@Suite struct ProcessorReachTests {
    @Test func memoriesAreNeverTooShort() {
        var numbers = SplitMix(state: 5)
        for round in 0..<400 {
            for name in SoundProcessor.Name.allCases {
                var values: [SoundProcessor.Parameter: Int64] = [:]
                for parameter in name.parameters where round > 0 {
                    let range = parameter.quantity.range
                    let width = Int(range.upperBound - range.lowerBound)
                    values[parameter.key] =
                        [range.lowerBound, range.upperBound][safe: round - 1]
                        ?? range.lowerBound + Int64(numbers.below(width + 1))
                }
                if let order = values[.order] { values[.order] = max(1, order / 1_000_000) * 1_000_000 }
                let bands = EqualizerBand.Kind.allCases.map {
                    EqualizerBand(
                        $0,
                        frequency: 10_000_000 + Int64(numbers.below(20_000_000_000)),
                        gain: Int64(numbers.below(80_000_000)) - 40_000_000,
                        quality: 100_000 + Int64(numbers.below(29_900_000))
                    )
                }
                let processor = SoundProcessor(name, values, bands: name == .equalizer ? bands : nil)
                for rate in [8000, 44_100, 48_000, 192_000] {
                    let process = processor.process(channels: 2, sampleRate: rate)
                    let (memory, latency) = (processor.memory(sampleRate: rate), processor.latency(sampleRate: rate))
                    let isCovered = process.memory <= memory || memory >= 1 << 40
                    #expect(isCovered, "\(name) \(values) at \(rate): \(process.memory), \(memory)")
                    #expect(Int64(process.latency) <= latency, "\(name) \(values) at \(rate)")
                    // And little is heard in vain.
                    let isTight = process.memory > 1 << 30 || memory <= 2 * process.memory + Int64(rate)
                    #expect(isTight, "\(name) \(values) at \(rate): \(process.memory), \(memory)")
                }
            }
        }
    }

    @Test func cellsAreFourTimesAsLongAsTheMemory() {
        func reach(_ seconds: Double) -> ProcessorReach {
            ProcessorReach(
                [SoundProcessor(.delay, [.time: Int64(seconds * 1_000_000), .feedback: 0])],
                sampleRate: 48_000
            )
        }
        #expect(reach(0.1).cell == 1 << 18 && reach(3).cell == 1 << 21 && reach(5).cell == 1 << 22)
        let endless = ProcessorReach(
            [SoundProcessor(.delay, [.time: 5_000_000, .feedback: 950_000])],
            sampleRate: 48_000
        )
        #expect(endless.isEndless && endless.start(ofCell: endless.cell(of: 1 << 40)) == 0)
        let short = reach(0.1)
        #expect(short.needed(for: 1_000_000..<1_000_001).lowerBound > 700_000)
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
