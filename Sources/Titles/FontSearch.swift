package import CompositionModel
import Foundation
package import WireProtocol

/// Finds fonts of the machine by what a text asks for.
package enum FontSearch {
    private static let endings: Set = ["ttf", "otf", "ttc", "otc", "woff", "woff2"]

    /// - Returns: one answer for each descriptor, in their order. Files that cannot be read count as not there.
    package static func answers(_ request: FontRequest) -> [FontAnswer] {
        guard !request.descriptors.isEmpty else { return [] }
        let candidates = request.folders.flatMap(files).flatMap { path in
            ((try? FontProbe.faces(at: path)) ?? []).map { FontChoice<String>.Candidate(place: path, facts: $0) }
        }
        // The facts of a face are long, and thousands of texts may ask for it.
        var told: Set<FontDescriptor> = []
        return request.descriptors.map { descriptor in
            var found = answer(descriptor, candidates)
            if !told.insert(descriptor.withoutText).inserted { found.face = nil }
            return found
        }
    }

    private static func answer(_ descriptor: FontDescriptor, _ candidates: [FontChoice<String>.Candidate]) -> FontAnswer
    {
        let choice = FontChoice(descriptor, among: candidates)
        var paths: [String] = []
        for path in choice.faces where !paths.contains(path) { paths.append(path) }
        var missing = ""
        missing.unicodeScalars.append(contentsOf: choice.missing)
        let names = Set(candidates.flatMap(\.facts.families)).sorted()
        let nearest = paths.isEmpty ? descriptor.families.compactMap { Spelling.nearest(to: $0, in: names) }.first : nil
        return FontAnswer(paths: paths, nearest: nearest, missing: missing, face: choice.face)
    }

    /// Font files below `folder`, in the order of their paths.
    private static func files(below folder: String) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.sorted().filter { endings.contains(($0 as NSString).pathExtension.lowercased()) }
            .map { folder + "/" + $0 }
    }
}
