// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import CompositionModel
import EditLanguage

@testable import Planning
@testable import Timing

/// Names the reason for which a frame may be a border, by looking at the frames on both sides of it.
struct BorderOracle {
    let model: EditModel
    private let layers: [[EditModel.Layer]]

    init(_ model: EditModel) {
        self.model = model
        layers = (0..<model.frameCount).map(model.layers)
    }

    func layers(at frame: Int64) -> [EditModel.Layer] { layers[Int(frame)] }

    /// The strongest reason to begin a segment at `frame`, or nil.
    func reason(at frame: Int64) -> BorderReason? {
        let (before, here) = (layers[Int(frame) - 1], layers[Int(frame)])
        guard model.continued(before) == here else {
            return isTransitionEdge(before, here) ? .transition : .cut
        }
        if here.contains(where: { $0.step != nil }) { return nil }
        return isKeyframe(before, here) ? .keyframe : isLength(frame, before, here) ? .length : nil
    }

    /// Whether a dissolve that is seen goes on over `frame`.
    func isInsideTransition(_ frame: Int64) -> Bool {
        let next = model.continued(layers[Int(frame) - 1]).compactMap { $0.step.map { [$0] } ?? nil }
        let steps = layers[Int(frame)].compactMap { $0.step.map { [$0] } ?? nil }
        return steps.contains { next.contains($0) && $0 != [0] }
    }

    private func isTransitionEdge(_ before: [EditModel.Layer], _ here: [EditModel.Layer]) -> Bool {
        let ended = before.contains { layer in layer.step.map { $0 + 1 == layer.steps } ?? false }
        return ended || here.contains { $0.step == 0 } || hidesTransition(before, here)
    }

    /// A dissolve that comes out from under another layer, or goes under it, has its edge there.
    private func hidesTransition(_ before: [EditModel.Layer], _ here: [EditModel.Layer]) -> Bool {
        let going = Set(model.continued(before).filter { $0.step != nil }.map { [$0.step, $0.steps] })
        let present = Set(here.filter { $0.step != nil }.map { [$0.step, $0.steps] })
        return going != present
    }

    private func isKeyframe(_ before: [EditModel.Layer], _ here: [EditModel.Layer]) -> Bool {
        guard here.count == 1, let side = here[0].sides[0], let last = before[0].sides[0] else { return false }
        let shown = model.shownFrame(side)
        return shown != model.shownFrame(last) && model.assets[side.asset]!.facts.video[0].keyframes.contains(shown)
    }

    private func isLength(_ frame: Int64, _ before: [EditModel.Layer], _ here: [EditModel.Layer]) -> Bool {
        guard let side = here.first?.sides.compactMap(\.self).first else { return isGapLength(frame) }
        let last = before[0].sides.compactMap(\.self)[0]
        return tens(side.time) != tens(last.time)
    }

    private func isGapLength(_ frame: Int64) -> Bool {
        var start = frame
        while start > 0, layers[Int(start) - 1].isEmpty { start -= 1 }
        return tens(try! model.rate.time(ofFrame: frame - start))
            != tens(try! model.rate.time(ofFrame: frame - 1 - start))
    }

    /// Multiples of ten seconds that are not after `time`.
    private func tens(_ time: RationalTime) -> Int64 { time.numerator / (time.denominator * 10) }
}
