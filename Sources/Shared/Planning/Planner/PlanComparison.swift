import CompositionModel
import Foundation
package import Timing

/// What a plan has that an earlier plan has not, by the keys of its parts: what is rendered where the earlier parts are
/// kept, and no others.
package struct PlanComparison: Sendable, Hashable {
    /// A part whose key the earlier plan does not have.
    package struct Change: Sendable, Hashable, Codable {
        /// What it is, such as `segment 3` or `sound piece 1`.
        package let part: String
        /// The frames of the segment on the edit's timeline; nil for sound.
        package let frames: FrameRange?
        /// Why it is made again, in words.
        package let reason: String
    }

    /// The number of segments of the plan.
    package let segmentCount: Int
    /// The number of pieces of sound of the plan.
    package let soundCount: Int
    /// The segments and then the pieces of sound that the earlier plan does not have, each in order of time.
    package let changes: [Change]

    /// Compares `plan` with the plan of an earlier version, or of another job.
    package init(_ plan: RenderPlan, against earlier: RenderPlan) {
        segmentCount = plan.segments.count
        soundCount = plan.soundPieces.count
        let first = plan.output.range?.start ?? 0
        let segmentKeys = (plan.segments.map(\.key), earlier.segments.map(\.key))
        let segments = PlanComparison.unmatched(segmentKeys.0, segmentKeys.1).map { place, old in
            let segment = plan.segments[place]
            let before = old.map { earlier.segments[$0].task }
            return Change(
                part: "segment \(place + 1)",
                frames: FrameRange(start: first + segment.frames.start, count: segment.frames.count),
                reason: before.map { TaskDifference.words(segment.task, $0) } ?? "it is new"
            )
        }
        let soundKeys = (plan.soundPieces.map(\.key), earlier.soundPieces.map(\.key))
        let sounds = PlanComparison.unmatched(soundKeys.0, soundKeys.1).map { place, old in
            let before = old.map { earlier.soundPieces[$0].task }
            return Change(
                part: plan.soundPieces.count == 1 ? "sound" : "sound piece \(place + 1)",
                frames: nil,
                reason: before.map { TaskDifference.words(plan.soundPieces[place].task, $0) } ?? "it is new"
            )
        }
        changes = segments + sounds
    }

    /// The comparison as lines of text.
    /// - Parameter name: What the plan was compared with.
    package func lines(against name: String, rate: FrameRate) -> [String] {
        let again = changes.count { $0.frames != nil }
        let heard = changes.count - again
        var parts: [String] = []
        if segmentCount > 0 { parts.append("\(again) of \(Count.of(segmentCount, "segment"))") }
        if soundCount > 0 { parts.append("\(heard) of \(Count.of(soundCount, "piece")) of sound") }
        guard !changes.isEmpty else {
            let condition = "where those are kept, by the same versions of the renderer and its libraries"
            return ["Every part is as in \(name): nothing is rendered again \(condition)."]
        }
        let lines = changes.map { change in
            let place = change.frames.map { frames in
                let code = Timecode(frame: frames.start, at: rate, isDropFrame: Timecode.allowsDropFrame(rate))
                return ", frames \(frames.start)..<\(frames.end) from \(code)"
            }
            return "  \(change.part)\(place ?? ""): \(change.reason)"
        }
        let verb = changes.count == 1 ? "differs" : "differ"
        return ["\(parts.joined(separator: " and ")) \(verb) from \(name):"] + lines
    }

    /// The places of `keys` that are not among `earlier`, each with the place of what stood there: parts that are in
    /// both divide the plans, and between two of them the n-th of one stands for the n-th of the other.
    private static func unmatched(
        _ keys: [ContentDigest],
        _ earlier: [ContentDigest]
    ) -> [(place: Int, earlier: Int?)] {
        let places = Dictionary(earlier.enumerated().map { ($1, $0) }) { first, _ in first }
        let known = Set(keys)
        var next = 0
        return keys.enumerated().compactMap { place, key in
            if let found = places[key] {
                next = found + 1
                return nil
            }
            while next < earlier.count, known.contains(earlier[next]), place > 0, places[keys[place - 1]] != next - 1 {
                next += 1
            }
            guard next < earlier.count, !known.contains(earlier[next]) else { return (place, nil) }
            defer { next += 1 }
            return (place, next)
        }
    }
}

/// What differs between two tasks, by their JSON: the members that a key is digested from.
private enum TaskDifference {
    /// The most differences that are named.
    private static let most = 3

    /// The differences in words.
    static func words(_ task: some Encodable, _ earlier: some Encodable) -> String {
        guard let new = tree(task), let old = tree(earlier) else { return "its task differs" }
        // Several values of one effect are one difference to people.
        var seen: Set<String> = []
        let found = differences(new, old, path: []).filter { seen.insert($0).inserted }
        guard !found.isEmpty else { return "its key was made by another rule" }
        let more = found.count - most
        return found.prefix(most).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }

    private static func tree(_ value: some Encodable) -> Any? {
        (try? JSONEncoder().encode(value)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    }

    private static func differences(_ new: Any?, _ old: Any?, path: [String]) -> [String] {
        switch (new, old) {
        case (let new as [String: Any], let old as [String: Any]):
            Set(new.keys).union(old.keys).sorted().flatMap { differences(new[$0], old[$0], path: path + [$0]) }
        case (let new as [Any], let old as [Any]):
            new.count == old.count
                ? zip(new, old).enumerated().flatMap { place, pair in
                    differences(pair.0, pair.1, path: path + ["\(place + 1)"])
                } : ["\(words(of: path)) are \(new.count) and not \(old.count)"]
        case (nil, nil): []
        case (nil, _): ["\(words(of: path)) is gone"]
        case (_, nil): ["\(words(of: path)) is new"]
        case (let new as NSObject, let old as NSObject) where new == old: []
        // What an appearance holds are numbers of a scale of its own.
        case (_?, _?) where path.contains("appearance"): ["\(words(of: path)) differs"]
        case (let new?, let old?): ["\(words(of: path)) is \(text(new)) and not \(text(old))"]
        }
    }

    /// Members that hold another and say nothing of it to people.
    private static let wrappers: Set<String> = ["from", "appearance", "values", "keys", "value"]
    private static let names = ["frameCount": "number of frames", "postRollCount": "number of frames of post-roll"]

    /// A path from the inside out: “amount of effect 2 of layer 1 of instruction 1”.
    private static func words(of path: [String]) -> String {
        var words: [String] = []
        var rest = path[...]
        while let name = rest.popFirst() {
            var word = names[name] ?? spaced(name)
            if let number = rest.first, Int(number) != nil {
                rest.removeFirst()
                word = "\(word.hasSuffix("s") ? String(word.dropLast()) : word) \(number)"
            }
            if !wrappers.contains(name) { words.append(word) }
        }
        return words.reversed().joined(separator: " of ")
    }

    /// A member's name as words: “keyframe interval” of `keyframeInterval`.
    private static func spaced(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
        }
    }

    /// A value in a few words.
    private static func text(_ value: Any) -> String {
        switch value {
        case let text as String: "“\(text.count > 40 ? text.prefix(40) + "…" : text[...])”"
        case is [String: Any], is [Any]: "another"
        default: "\(value)"
        }
    }
}
