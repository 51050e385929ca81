import EditLanguage
import EditSamples
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// Random edits against a model that knows each frame.
@Suite struct PlannerRandomTests {
    static let seeds = Array(UInt64(1)...16)
    /// Of edits of some seconds.
    static let shortSeeds = Array(UInt64(101)...148)

    @Test(arguments: seeds)
    func instructionsCoverTheTimeline(seed: UInt64) throws {
        let model = EditModel(seed: seed)
        let composition = try #require(try Compiled(model.text, model.assets).composition)
        #expect(composition.frameCount == model.frameCount)
        #expect(composition.findings().isEmpty)
        var end: Int64 = 0
        for instruction in composition.instructions {
            #expect(instruction.frames.start == end)
            #expect(instruction.frames.count > 0)
            end = instruction.frames.end
        }
        #expect(end == composition.frameCount)
    }

    private static func model(_ seed: UInt64) -> EditModel { EditModel(seed: seed, isShort: seed > 100) }

    @Test(arguments: seeds + shortSeeds)
    func everyBorderHasItsReasonItsDistanceAndItsRank(seed: UInt64) throws {
        let model = PlannerRandomTests.model(seed)
        let plan = try Compiled(model.text, model.assets).plan()
        let oracle = BorderOracle(model)
        let shortest = try model.rate.frame(at: RationalTime(whole: 5), rounding: .up).value
        let longest = try model.rate.frame(at: RationalTime(whole: 30), rounding: .down).value
        #expect(plan.segments.first?.startBorder == .edge)
        #expect(plan.segments.last?.endBorder == .edge)
        let wouldBeOne = wouldBeOne(oracle, shortest: shortest, longest: longest)
        var end: Int64 = 0
        for segment in plan.segments {
            #expect(segment.frames.start == end)
            #expect(segment.frames.count <= longest)
            if !wouldBeOne, plan.segments.count > 1 { #expect(segment.frames.count >= shortest) }
            if end > 0 {
                let expected = segment.startBorder == .middle ? nil : segment.startBorder
                #expect(oracle.reason(at: end) == expected, "frame \(end)")
                #expect(!oracle.isInsideTransition(end))
            }
            end = segment.frames.end
        }
        #expect(end == model.frameCount)
        #expect(zip(plan.segments, plan.segments.dropFirst()).allSatisfy { $0.endBorder == $1.startBorder })
        if wouldBeOne {
            try checkHalving(plan, oracle)
        } else {
            checkPassedOver(plan, oracle, shortest: shortest)
        }
    }

    /// The short edits are worth their name: some are halved in the middle, some at what is near it, some are not.
    @Test func shortEditsAreOfAllKinds() throws {
        var kinds: [BorderReason?: Int] = [:]
        for seed in PlannerRandomTests.shortSeeds {
            let model = PlannerRandomTests.model(seed)
            let segments = try Compiled(model.text, model.assets).plan().segments
            kinds[segments.count == 2 ? segments[1].startBorder : nil, default: 0] += 1
        }
        #expect(kinds[.middle] ?? 0 > 2 && kinds[.cut] ?? 0 > 2 && kinds[nil] ?? 0 > 2, "\(kinds)")
    }

    /// Whether nothing but halving can make a border.
    private func wouldBeOne(_ oracle: BorderOracle, shortest: Int64, longest: Int64) -> Bool {
        let count = oracle.model.frameCount
        guard count <= longest else { return false }
        return !candidates(oracle).contains { $0.key >= shortest && count - $0.key >= shortest }
    }

    private func candidates(_ oracle: BorderOracle) -> [Int64: BorderReason] {
        var candidates: [Int64: BorderReason] = [:]
        for frame in 1..<oracle.model.frameCount where !oracle.isInsideTransition(frame) {
            candidates[frame] = oracle.reason(at: frame)
        }
        return candidates
    }

    /// A plan that would be one segment has two exactly when it can be halved, at the strongest border near its middle.
    private func checkHalving(_ plan: RenderPlan, _ oracle: BorderOracle) throws {
        let count = oracle.model.frameCount
        let least = try oracle.model.rate.frame(at: RationalTime(whole: 2), rounding: .up).value
        let middle = count / 2
        guard middle >= least else { return #expect(plan.segments.count == 1) }
        let way = min(count / 10, middle - least)
        let near = candidates(oracle).filter { abs($0.key - middle) <= way }
        guard let strongest = near.values.map(\.strength).max() else {
            guard !oracle.isInsideTransition(middle) else { return #expect(plan.segments.count == 1) }
            #expect(plan.segments.map(\.frames.start) == [0, middle])
            #expect(plan.segments.last?.startBorder == .middle)
            return
        }
        let border = try #require(plan.segments.count == 2 ? plan.segments.last : nil)
        #expect(near[border.frames.start] == border.startBorder)
        #expect(border.startBorder.strength == strongest)
    }

    /// What was passed over gave way to something at least as strong, near it.
    private func checkPassedOver(_ plan: RenderPlan, _ oracle: BorderOracle, shortest: Int64) {
        let count = oracle.model.frameCount
        var borders: [Int64: Int] = [0: 4, count: 4]
        for segment in plan.segments.dropFirst() { borders[segment.frames.start] = segment.startBorder.strength }
        for frame in 1..<count {
            guard let reason = oracle.reason(at: frame), !oracle.isInsideTransition(frame) else { continue }
            let isKeptOrYields = borders.contains { abs($0.key - frame) < shortest && $0.value >= reason.strength }
            #expect(isKeptOrYields, "frame \(frame), \(reason)")
        }
    }

    @Test(arguments: seeds)
    func slicesShowWhatTheEditShows(seed: UInt64) throws {
        let model = EditModel(seed: seed)
        let plan = try Compiled(model.text, model.assets).plan()
        for segment in plan.segments {
            let task = segment.task
            let postRoll = model.framesUpToACut(from: segment.frames.end, most: 20)
            #expect(task.frameCount == segment.frames.count)
            #expect(task.postRollCount == postRoll)
            #expect(Set(task.assets).count == task.assets.count)
            var next: Int64 = 0
            for instruction in task.instructions {
                #expect(instruction.frames.start == next)
                next = instruction.frames.end
                for frame in Set([instruction.frames.start, (instruction.frames.start + next) / 2, next - 1]) {
                    let shown = try SliceView(task).layers(at: frame, of: instruction)
                    let expected = model.layers(at: segment.frames.start + frame).map { SliceView.expected($0, model) }
                    #expect(shown == expected, "frame \(segment.frames.start + frame)")
                }
            }
            #expect(next == task.frameCount + task.postRollCount)
        }
    }
}

/// A slice's layer at one frame, in words that the model can say too.
struct SliceView {
    struct Side: Hashable {
        var digest: ContentDigest
        var time: RationalTime
        var fit: Fit
    }

    struct Layer: Hashable {
        var from: Side?
        var to: Side?
        var step: Int64?
        var steps: Int64?
    }

    let task: PictureTask

    init(_ task: PictureTask) { self.task = task }

    func layers(at frame: Int64, of instruction: SliceInstruction) throws -> [Layer] {
        let way = try task.frameRate.time(ofFrame: frame - instruction.frames.start)
        func side(_ source: SliceSource?) throws -> Side? {
            guard let source else { return nil }
            return Side(digest: task.assets[source.asset], time: try source.start.adding(way), fit: source.fit)
        }
        return try instruction.layers.map { layer in
            let step = layer.transition.map { $0.firstStep + frame - instruction.frames.start }
            return Layer(from: try side(layer.from), to: try side(layer.to), step: step, steps: layer.transition?.steps)
        }
    }

    static func expected(_ layer: EditModel.Layer, _ model: EditModel) -> Layer {
        let sides = layer.sides.map { side in
            side.map { Side(digest: model.assets[$0.asset]!.digest, time: $0.time, fit: $0.fit) }
        }
        return Layer(from: sides[0], to: sides.count > 1 ? sides[1] : nil, step: layer.step, steps: layer.steps)
    }
}
