import CompositionModel
import EditLanguage
import Foundation
import WireProtocol

/// Where the coordinator puts the movies of an edit by itself.
struct TargetNames {
    /// The target as it was written, or nil: a ``NamePattern``, which is a folder where it ends with a slash.
    let to: String?
    let replaces: Bool
    /// The day that `{date}` means; nil is today.
    var day: Date?
    private var pattern: NamePattern?
    /// The title of the jobs, after which a movie in a folder is named where the edit names none.
    let title: String

    /// - Throws: ``CommandFailure`` for a target that cannot be one.
    init(to: String?, replaces: Bool, title: String) throws {
        (self.to, self.replaces, self.title) = (to, replaces, title)
        guard let to else { return }
        pattern = try NamePattern(to)
        let sample = pattern?.filled(title: "a", fileExtension: "mp4", preset: "h264") ?? to
        do throws(OutputTarget.Malformed) { _ = try OutputTarget(isFolder ? sample + "a" : sample) } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    private var isFolder: Bool { to?.hasSuffix("/") == true }

    /// The orders of an edit's outputs, by their positions.
    struct Orders: Sendable {
        var today: [Int: DeliveryOrder] = [:]
        /// The same with `{date}` in place of the day, so that they name the same outputs on another day.
        var undated: [Int: DeliveryOrder] = [:]
    }

    /// The order of each output.
    /// - Parameters:
    ///   - preset: the preset that replaces the edit's outputs.
    ///   - compiled: the compiled outputs, where one of them follows a source; nil otherwise.
    /// - Throws: ``CommandFailure`` when several outputs would go to one file, and for a name of another kind of file.
    func orders(
        for document: EditDocument,
        preset: String?,
        compiled: [OutputSettings]?
    ) throws -> Orders {
        guard let to else { return Orders() }
        var written = WrittenOutput.list(document, preset: preset)
        for (index, settings) in (compiled ?? []).enumerated() where written.indices.contains(index) {
            written[index].container = settings.container
        }
        guard let pattern, isFolder || written.count == 1 else {
            throw CommandFailure(
                .usage,
                "The edit has \(written.count) outputs, and \(to) is one file; name a folder, as \(to.withoutExtension)/."
            )
        }
        var orders = Orders()
        for (index, output) in written.enumerated() {
            let file = preset == nil ? output.file : nil
            let name = MovieName.inFolder(written: file, title: title, fileExtension: output.fileExtension)
            let (ending, made) = (output.fileExtension, output.preset)
            func order(_ place: String) -> DeliveryOrder {
                DeliveryOrder(to: isFolder ? place + name : place, replace: replaces ? true : nil)
            }
            let today = order(pattern.filled(title: title, fileExtension: ending, preset: made, day: day))
            try output.check(name: today.to)
            orders.today[index] = today
            orders.undated[index] = order(pattern.undated(title: title, fileExtension: ending, preset: made))
        }
        return orders
    }
}

/// The targets of the lines of a batch, of which no two may be the same.
struct TargetClaims {
    /// The place where each target is named.
    private var places: [String: String] = [:]
    /// The folders that targets lie in, each with one of the targets.
    private var folders: [String: String] = [:]

    /// Claims targets.
    /// - Parameter place: the place where they are named.
    /// - Throws: ``CommandFailure`` when an earlier line, or this one already, has one of them; none is claimed then.
    mutating func claim(_ orders: [Int: DeliveryOrder], place: String) throws {
        var own: Set<String> = []
        for target in orders.values.map(\.to) {
            if let inside = folders[target] ?? Self.folders(of: target).first(where: { places[$0] != nil }) {
                let other = places[inside] ?? place
                throw CommandFailure(
                    .usage,
                    "\(place): one of \(target) and \(inside) (\(other)) would be a folder and a movie; give one of them another name."
                )
            }
            guard let other = own.insert(target).inserted ? places[target] : place else { continue }
            let who = other == place ? "two of its outputs go" : "\(other) goes"
            throw CommandFailure(.usage, "\(place): \(who) to \(target) too; give each job a target of its own.")
        }
        for target in own {
            places[target] = place
            for folder in Self.folders(of: target) { folders[folder] = target }
        }
    }

    /// The folders of a target, the innermost first: `a/b` and `a` of `a/b/c.mp4`.
    private static func folders(of target: String) -> [String] {
        var rest = target[...]
        var folders: [String] = []
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            folders.append(String(rest))
        }
        return folders
    }
}
