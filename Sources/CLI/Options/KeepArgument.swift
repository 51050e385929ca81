import ArgumentParser
import WireProtocol

/// How much is kept, on the command line: a span (`90d`, `12h`) or an amount (`500GB`, `2TB`).
enum KeepArgument: ExpressibleByArgument, Hashable {
    case span(seconds: Int64)
    case amount(bytes: Int64)

    private static let units: [(name: String, bytes: Int64)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000),
    ]

    /// Reads the argument; nil for anything but a whole number from 0 on with a unit.
    init?(argument: String) {
        if let span = SpanArgument(argument: argument) {
            self = .span(seconds: span.seconds)
            return
        }
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
            let number = Int64(argument.dropLast(unit.name.count)), (0...Int64.max / unit.bytes).contains(number)
        else { return nil }
        self = .amount(bytes: number * unit.bytes)
    }
}

/// The options that say how much is kept of movies and of assets.
struct KeepOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Finished movies to keep: a span such as 90d, an amount such as 500GB, or both in two options; else all.",
            valueName: "amount"
        )
    )
    var keepMovies: [KeepArgument] = []

    @Option(
        help: ArgumentHelp(
            "Assets that no unfinished job needs to keep, since their last use, such as 30d or 2TB; else all.",
            valueName: "amount"
        )
    )
    var keepAssets: [KeepArgument] = []

    var movies: KeptAmount { KeptAmount(keepMovies) }
    var assets: KeptAmount { KeptAmount(keepAssets) }
}

extension KeptAmount {
    /// The least of the spans and the least of the amounts.
    fileprivate init(_ arguments: [KeepArgument]) {
        self.init()
        for argument in arguments {
            switch argument {
            case .span(let seconds): self.seconds = min(self.seconds ?? .max, seconds)
            case .amount(let bytes): self.bytes = min(self.bytes ?? .max, bytes)
            }
        }
    }
}
