package import CompositionModel
import Foundation
package import Timing

/// What a plan has that an earlier plan has not, by the keys of its parts: what is rendered where the earlier parts are
/// kept, and no others.
package struct PlanComparison: Sendable, Hashable {
    /// A part whose key the earlier plan does not have.
    package struct Change: Sendable, Hashable, Codable {
        /// What it is, such as `segment 3`, `measurement 1` or `sound piece 1`.
        package let part: String
        /// The frames of the segment on the edit's timeline; nil for sound and what is measured of it.
        package let frames: FrameRange?
        /// Why it is made again, in words.
        package let reason: String
    }

    /// The changes of one kind of part.
    private struct Kind: Sendable, Hashable {
        /// The number of such parts of the plan.
        var count: Int
        /// What one of them is, such as `segment`.
        var singular: String
        /// What all of them are of, such as ` of sound`; may be empty.
        var suffix = ""
        var changes: [Change]
    }

    private let kinds: [Kind]
    /// The rounds of measurement after the first, where any of their parts differs; nil where none does.
    private let laterRounds: Change?

    /// The segments, what is measured of the mix, and the pieces of sound that the earlier plan does not have, each in
    /// order of time. The rounds of measurement after the first are one change: how many of them run depends on what
    /// the first finds.
    package var changes: [Change] {
        kinds[0].changes + kinds[1].changes + (laterRounds.map { [$0] } ?? []) + kinds[2].changes
    }

    /// Compares `plan` with the plan of an earlier version, or of another job.
    /// - Parameters:
    ///   - names: the names of the assets of `plan`, by digest.
    ///   - earlierNames: the names of the assets of `earlier`. An asset that neither names is called by the first 8
    ///     digits of its digest.
    package init(
        _ plan: RenderPlan,
        against earlier: RenderPlan,
        names: [ContentDigest: String] = [:],
        earlierNames: [ContentDigest: String] = [:]
    ) {
        let words = TaskDifference(names: names, earlierNames: earlierNames)
        let first = plan.output.range?.start ?? 0
        let segments = Self.unmatched(plan.segments.map(\.key), earlier.segments.map(\.key)).map { place, old in
            let segment = plan.segments[place]
            return Change(
                part: "segment \(place + 1)",
                frames: FrameRange(start: first + segment.frames.start, count: segment.frames.count),
                reason: words.words(segment.task, old.map { earlier.segments[$0].task })
            )
        }
        let rounds = (plan.soundRounds ?? [], earlier.soundRounds ?? [])
        let measured = (rounds.0.first ?? [], rounds.1.first ?? [])
        let measurements = Self.unmatched(measured.0.map(\.key), measured.1.map(\.key)).map { place, old in
            Change(
                part: "measurement \(place + 1)",
                frames: nil,
                reason: words.words(measured.0[place].task, old.map { measured.1[$0].task })
            )
        }
        let sounds = Self.unmatched(plan.soundPieces.map(\.key), earlier.soundPieces.map(\.key)).map { place, old in
            Change(
                part: plan.soundPieces.count == 1 ? "sound" : "sound piece \(place + 1)",
                frames: nil,
                reason: words.words(plan.soundPieces[place].task, old.map { earlier.soundPieces[$0].task })
            )
        }
        let known = Set(rounds.1.dropFirst().joined().map(\.key))
        let later = rounds.0.dropFirst().joined().filter { !known.contains($0.key) }
        laterRounds = later.first.map { piece in
            // Every piece of these rounds names the whole mix and its target, so the first differs where any does.
            let old = rounds.1.dropFirst().joined().first { $0.task.round == piece.task.round }
            let reason = words.words(piece.task, old?.task)
            return Change(part: "measurements with the gain, as many as it needs", frames: nil, reason: reason)
        }
        kinds = [
            Kind(count: plan.segments.count, singular: "segment", changes: segments),
            Kind(count: measured.0.count, singular: "measurement", suffix: " of loudness", changes: measurements),
            Kind(count: plan.soundPieces.count, singular: "piece", suffix: " of sound", changes: sounds),
        ]
    }

    /// The comparison as lines of text.
    /// - Parameter name: What the plan was compared with.
    package func lines(against name: String, rate: FrameRate) -> [String] {
        guard !changes.isEmpty else {
            let condition = "where those are kept, by the same versions of the renderer and its libraries"
            return ["Every part is as in \(name): nothing is rendered again \(condition)."]
        }
        let parts = kinds.filter { $0.count > 0 }.map { kind in
            "\(kind.changes.count) of \(Count.of(kind.count, kind.singular))\(kind.suffix)"
        }
        let lines = changes.map { change in
            let place = change.frames.map { frames in
                let code = Timecode(frame: frames.start, at: rate, isDropFrame: Timecode.allowsDropFrame(rate))
                return ", frames \(frames.start)..<\(frames.end) from \(code)"
            }
            return "  \(change.part)\(place ?? ""): \(change.reason)"
        }
        let verb = changes.count == 1 ? "differs" : "differ"
        return ["\(Self.joined(parts)) \(verb) from \(name):"] + lines
    }

    /// “a”, “a and b”, or “a, b and c”.
    private static func joined(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
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
private struct TaskDifference {
    let names: [ContentDigest: String]
    let earlierNames: [ContentDigest: String]

    /// The most differences that are named.
    private static let most = 3

    /// The differences in words; without an earlier task, that this one is new.
    func words<Task: Encodable>(_ task: Task, _ earlier: Task?) -> String {
        guard let earlier else { return "it is new" }
        guard let new = Self.tree(task), let old = Self.tree(earlier) else { return "its task differs" }
        // Several values of one effect are one difference to people.
        var seen: Set<String> = []
        let found = differences(new, old, path: []).filter { seen.insert($0).inserted }
        guard !found.isEmpty else { return "its key was made by another rule" }
        let more = found.count - Self.most
        return found.prefix(Self.most).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }

    private static func tree(_ value: some Encodable) -> Any? {
        (try? JSONEncoder().encode(value)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    }

    private func differences(_ new: Any?, _ old: Any?, path: [String]) -> [String] {
        switch (new, old) {
        case (let new as [String: Any], let old as [String: Any]) where path.last == Self.programme:
            new["key"] as? String == old["key"] as? String
                ? [] : ["the whole mix, whose loudness sets the gain, differs"]
        case (let new as [String: Any], let old as [String: Any]):
            Set(new.keys).union(old.keys).sorted().flatMap { differences(new[$0], old[$0], path: path + [$0]) }
        case (let new as [Any], let old as [Any]):
            new.count == old.count
                ? zip(new, old).enumerated().flatMap { place, pair in
                    differences(pair.0, pair.1, path: path + ["\(place + 1)"])
                } : ["\(Self.words(of: path)) are \(new.count) and not \(old.count)"]
        case (nil, nil): []
        case (nil, _): ["\(Self.words(of: path)) is gone"]
        case (_, nil): ["\(Self.words(of: path)) is new"]
        case (let new as NSObject, let old as NSObject) where new == old: []
        // What an appearance holds are numbers of a scale of its own.
        case (_?, _?) where path.contains("appearance"): ["\(Self.words(of: path)) differs"]
        case (let new as String, let old as String): [difference(new, old, path: path)]
        case (let new?, let old?): ["\(Self.words(of: path)) is \(Self.text(new)) and not \(Self.text(old))"]
        }
    }

    /// The difference of two texts; digests of assets are told by the assets' names.
    private func difference(_ new: String, _ old: String, path: [String]) -> String {
        guard let digest = ContentDigest(text: new), let earlier = ContentDigest(text: old) else {
            return "\(Self.words(of: path)) is \(Self.text(new)) and not \(Self.text(old))"
        }
        let name = names[digest] ?? earlierNames[digest]
        let earlierName = earlierNames[earlier] ?? names[earlier]
        if let name, name == earlierName { return "the content of asset “\(name)” differs" }
        let (one, other) = (Self.quoted(name, digest), Self.quoted(earlierName, earlier))
        return "\(Self.words(of: path)) is \(one) and not \(other)"
    }

    private static func quoted(_ name: String?, _ digest: ContentDigest) -> String {
        name.map { "“\($0)”" } ?? String(digest.hex.prefix(8))
    }

    /// The member of tasks of sound that names the mix of which they are a part, by a digest of all that it is made of;
    /// a task that measures has the number of the mix's samples beside it.
    private static let programme = "programme"

    /// Members that hold another and say nothing of it to people.
    private static let wrappers: Set<String> = ["from", "appearance", "values", "keys", "value"]
    /// The words for members whose names say too little.
    private static let members = [
        "frameCount": "number of frames", "postRollCount": "number of frames of post-roll",
        programme: "number of samples of the whole mix",
    ]

    /// A path from the inside out: “amount of effect 2 of layer 1 of instruction 1”.
    private static func words(of path: [String]) -> String {
        var words: [String] = []
        var rest = path[...]
        while let name = rest.popFirst() {
            var word = members[name] ?? spaced(name)
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
