import Timing

extension CompositionCheck {
    /// Whether the composition shows anything; an edit of sound alone has no instructions.
    var hasPicture: Bool {
        !composition.videoTracks.isEmpty || composition.titleTracks != nil || !composition.instructions.isEmpty
            || composition.outputs.contains { $0.video != nil }
    }

    /// Checks that the instructions cover the timeline without hole or overlap, from 0 to its end.
    mutating func instructionOrder() {
        guard hasPicture else { return }
        var end: Int64 = 0
        for (index, instruction) in composition.instructions.enumerated() {
            var pointer: String { "/instructions/\(index)/frames" }
            guard isSound(instruction.frames, at: pointer) else { return }
            let start = instruction.frames.start
            if start > end {
                report(.instructionHole, pointer, "no instruction covers frames \(end) to \(start)")
            } else if start < end {
                report(.instructionOverlap, pointer, "two instructions cover frames \(start) to \(end)")
            }
            end = max(end, instruction.frames.end)
        }
        if end < composition.frameCount {
            let message = "the instructions end at frame \(end), the timeline at \(composition.frameCount)"
            report(.instructionsTooShort, "/instructions", message)
        } else if end > composition.frameCount {
            let message = "the instructions end at frame \(end), past the timeline's end at \(composition.frameCount)"
            report(.instructionsTooLong, "/instructions", message)
        }
    }

    /// Checks that layers name tracks that exist, and that transitions have two sides and stay within their steps.
    mutating func layers() {
        let titles = Set((composition.titleTracks ?? []).map(\.id))
        let tracks = titles.union(composition.videoTracks.map(\.id))
        for (index, instruction) in composition.instructions.enumerated() {
            for (number, layer) in instruction.layers.enumerated() {
                var pointer: String { "/instructions/\(index)/layers/\(number)" }
                for track in [layer.from, layer.to].compactMap(\.self) where !tracks.contains(track) {
                    report(.unknownTrack, pointer, "there is no video or title track “\(track)”")
                }
                sides(of: layer, at: pointer)
                if layer.transition != nil,
                    [layer.from, layer.to].contains(where: { $0.map(titles.contains) == true })
                {
                    report(.layerSides, pointer, "a title track takes part in no transition")
                }
                if let ramp = layer.transition {
                    var place: String { pointer + (ramp.look == nil ? "/dissolve" : "/transition") }
                    steps(of: ramp, over: instruction.frames.count, at: place)
                    if let look = ramp.look { self.look(look, at: place + "/look") }
                }
            }
        }
    }

    private mutating func sides(of layer: LayerInstruction, at pointer: @autoclosure () -> String) {
        if layer.transition == nil, layer.from == nil || layer.to != nil {
            report(.layerSides, pointer(), "a layer without a transition shows exactly one track, in `from`")
        }
        if layer.transition != nil, layer.from == layer.to {
            report(.layerSides, pointer(), "a transition goes between two different sides")
        }
    }

    private mutating func steps(of ramp: TransitionRamp, over count: Int64, at pointer: @autoclosure () -> String) {
        let (last, overflows) = ramp.firstStep.addingReportingOverflow(count)
        if ramp.steps < 1 || ramp.firstStep < 0 || overflows || last > ramp.steps {
            let numbers = "\(count) frames from step \(ramp.firstStep) of \(ramp.steps)"
            report(.dissolveSteps, pointer(), "the transition runs past its end: \(numbers)")
        }
    }

    /// Checks that a look is explicit and has exactly the parameters of its kind, each within its range.
    private mutating func look(_ look: TransitionLook, at pointer: @autoclosure () -> String) {
        let rule = look.kind.rule
        let parts: [Int64] = [look.softness, look.border].compactMap(\.self)
        let colors = [look.color, look.borderColor].compactMap(\.self)
        let isSound =
            look == look.limited(to: rule).resolved && !look.isPlainDissolve
            && look.direction.map(rule.directions.contains) ?? true
            && look.count.map { rule.count?.range.contains($0) ?? false } ?? true
            && rule.hasMap == (look.map != nil)
            && look.map.map { composition.assets.indices.contains($0.asset) } ?? true
            && parts.allSatisfy { (0...1_000_000).contains($0) }
            && colors.allSatisfy { ColorText.isColor($0) && $0.utf8.count == 7 }
        if !isSound {
            let has = rule.keys.joined(separator: ", ")
            report(
                .transitionLook,
                pointer(),
                "“\(look.kind.rawValue)” needs exactly what it has (\(has)), within range"
            )
        }
    }
}
