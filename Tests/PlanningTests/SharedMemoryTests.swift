import EditLanguage
import EditSamples
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// A plan of many clips fits into memory because tasks share what they do not change with the composition and its runs.
/// Arrays are compared by the address of their elements.
@Suite struct SharedMemoryTests {
    private struct Empty: Error {}

    /// The address of the array's first element.
    private func address<Element>(of elements: [Element]) throws -> UnsafePointer<Element> {
        guard let first = elements.withUnsafeBufferPointer(\.baseAddress) else { throw Empty() }
        return first
    }

    private func builder(_ compiled: Compiled) throws -> PictureTaskBuilder {
        let composition = try #require(compiled.composition)
        let size = composition.format.size
        let encoding = try #require(composition.outputs[0].video)
        let assets = try AssetTable(composition, facts: compiled.facts, size: size)
        let runs = try PictureRuns(composition, size: size, facts: assets).resolved()
        let copies = CopySpans(
            format: composition.format,
            size: size,
            encoding: encoding,
            runs: runs,
            assets: assets
        )
        return PictureTaskBuilder(
            format: composition.format,
            size: size,
            encoding: encoding,
            runs: runs,
            assets: assets,
            copies: copies,
            end: composition.frameCount
        )
    }

    /// `[ a 4 s ][ b 4 s ][ a 4 s ]`
    private func threeClips() throws -> Compiled {
        let items = ["a", "b", "a"].map { #"{ "asset": "\#($0)", "duration": "4s" }"# }
        return try Compiled(
            editText(items, assets: ["a", "b"]),
            ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b")]
        )
    }

    /// A task that shows the run's start, and whose assets have the numbers of the composition, has the run's layers.
    @Test func aTaskSharesTheLayersOfItsRuns() throws {
        let builder = try builder(threeClips())
        #expect(builder.runs.count == 3)
        let task = try builder.task(for: FrameRange(start: 0, count: 275))
        #expect(task.instructions.count == 3 && task.assets.count == 2)
        for (instruction, run) in zip(task.instructions, builder.runs) {
            #expect(try address(of: instruction.layers) == address(of: run.layers))
        }
        // The control: here the run's start is cut off, so that its layers are others.
        let later = try builder.task(for: FrameRange(start: 25, count: 50))
        #expect(try address(of: later.instructions[0].layers) != address(of: builder.runs[0].layers))
    }

    /// A nested edit that is shown as it is gives its layers to the runs of the edit around it.
    @Test func runsShareTheLayersOfANestedEdit() throws {
        let media = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b")]
        let items = ["a", "b"].map { #"{ "asset": "\#($0)", "duration": "4s" }"# }
        let inner = NestedEdit("inner.json", editText(items, assets: ["a", "b"]), media)
        let outer = editText([#"{ "asset": "inner", "duration": "8s" }"#], assets: ["inner"])
        let compiled = try Compiled(outer, [:], nested: ["inner": inner])
        let builder = try builder(compiled)
        let nested = builder.assets.runs(ofNested: 0)
        #expect(nested.count == 2 && builder.runs.count == 2)
        for (run, shown) in zip(builder.runs, nested) {
            #expect(try address(of: run.layers) == address(of: shown.layers))
        }
    }

    /// A sound task that plays the whole of a track, and whose assets have the numbers of the composition, has the
    /// track's segments.
    @Test func aSoundTaskSharesTheSegmentsOfItsTracks() throws {
        let compiled = try threeClips()
        let segments = try #require(compiled.composition?.audioTracks.first?.segments)
        let sound = try #require(try compiled.plan().sound)
        #expect(segments.count == 3 && sound.tracks[0].segments == segments)
        #expect(try address(of: sound.tracks[0].segments) == address(of: segments))
    }
}
