import Bitstream
import Foundation
import TestSupport
import Testing

/// Mutated NAL units and records: an error, or values that are written as what was read. Every run mutates 8,000 units,
/// 500 of each sample; `CUTFARM_THOROUGH=1` mutates 1,000,000, and `CUTFARM_SEED=17` asks for that seed alone.
@Suite struct FuzzTests {
    private static let perSeed = TestSeeds.isThorough ? 1000 : 500
    private static let seeds = TestSeeds.asked(usual: 8, thorough: 500)

    @Test func mutatedUnitsOfH264() async throws {
        var samples: [[ArraySlice<UInt8>]] = []
        for name in [
            "pyramid", "CAVLC, weights", "interlaced", "HRD, CBR", "4:4:4", "matrices", "8 slices", "usability",
        ] {
            samples.append(Mutation.short(AnnexB.units(of: try await H264Sample.named(name).stream()[...])))
        }
        var parsed = 0
        for seed in Self.seeds {
            var random = SplitMix(state: UInt64(seed))
            let units = samples[seed % samples.count]
            var check = try H264RoundTrip(units)
            for _ in 0..<Self.perSeed {
                let nal = Mutation.of(units, &random)
                if try check.holds(nal[...], &random) { parsed += 1 }
            }
        }
        // Many mutations leave something that is valid.
        #expect(parsed > Self.seeds.count * Self.perSeed / 20)
    }

    @Test func mutatedUnitsOfHEVC() async throws {
        var samples: [[ArraySlice<UInt8>]] = []
        for name in ["open GOP", "weights", "wavefronts", "HRD", "4 slices", "matrices", "many references", "HDR"] {
            samples.append(Mutation.short(AnnexB.units(of: try await HEVCSample.named(name).stream()[...])))
        }
        var parsed = 0
        for seed in Self.seeds {
            var random = SplitMix(state: UInt64(seed) << 32)
            let units = samples[seed % samples.count]
            var check = try HEVCRoundTrip(units)
            for _ in 0..<Self.perSeed {
                let nal = Mutation.of(units, &random)
                if try check.holds(nal[...], &random) { parsed += 1 }
            }
        }
        #expect(parsed > Self.seeds.count * Self.perSeed / 20)
    }

    @Test func mutatedRecords() async throws {
        let avc = try await ConfigurationTests.record(of: "libx264", "avcC")
        let hevc = try await ConfigurationTests.record(of: "libx265", "hvcC")
        var parsed = 0
        for seed in Self.seeds {
            var random = SplitMix(state: UInt64(seed) << 16)
            for _ in 0..<Self.perSeed / 10 {
                if let record = try? AVCConfiguration(Mutation.of([avc[...]], &random)[...]) {
                    #expect(try AVCConfiguration(record.record()[...]) == record)
                    _ = try? H264ParameterSets(record)
                    parsed += 1
                }
                if let record = try? HEVCConfiguration(Mutation.of([hevc[...]], &random)[...]) {
                    #expect(try HEVCConfiguration(record.record()[...]) == record)
                    _ = try? HEVCParameterSets(record)
                    parsed += 1
                }
            }
        }
        #expect(parsed > Self.seeds.count * Self.perSeed / 100)
    }

    /// Streams and samples with mutated bytes: what is found in them is within them, and in order.
    @Test func mutatedStreams() async throws {
        let stream = Array(try await H264Sample.named("8 slices of CAVLC").stream().prefix(6000))
        let sample = try LengthPrefix.four.sample(of: AnnexB.units(of: stream[...]))
        for seed in Self.seeds {
            var random = SplitMix(state: UInt64(seed) << 48)
            for _ in 0..<Self.perSeed / 50 {
                let bytes = Mutation.of([stream[...]], &random)
                let units = AnnexB.units(of: bytes[...])
                // Units that hold start codes would not be found again.
                #expect(units.allSatisfy { !$0.isEmpty && $0.last != 0 })
                #expect(AnnexB.units(of: AnnexB.stream(of: units)[...]) == units)
                var reader = H264AccessUnitReader()
                for nal in units { _ = try? reader.add(nal) }
                for size in [1, 2, 4] {
                    let prefix = try LengthPrefix(size: size)
                    guard let found = try? prefix.units(of: Mutation.of([sample[...]], &random)[...]) else { continue }
                    #expect(try prefix.units(of: prefix.sample(of: found)[...]) == found)
                }
            }
        }
    }
}
