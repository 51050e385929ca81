import ArgumentParser
import CompositionModel

struct TransitionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transitions",
        abstract: "List the transitions with their parameters.",
        discussion: "scripts/transition-sheet renders a picture of each: docs/transitions.png."
    )

    @Flag(help: "Other words for them too: FFmpeg's names, SMPTE wipe codes.")
    var aliases = false

    @Flag(help: "Instead, an edit that shows each for 20 frames between a.mkv and b.mkv.")
    var edit = false

    func run() {
        guard !edit else { return Console.print(TransitionSheet.edit) }
        let rows = TransitionKind.allCases.map { [$0.rawValue, $0.parameterList, $0.summary] }
        Console.print(TextTable(["transition", "parameters", "what is seen"], rows).text)
        guard aliases else { return }
        let words = TransitionName.aliases.map { name in
            let look = TransitionName.look(name)
            let parts = [
                look?.kind.rawValue, look?.direction?.rawValue, look?.shape?.rawValue, look?.count.map(String.init),
                look?.reversed == true ? "reversed" : nil, look?.counterclockwise == true ? "counterclockwise" : nil,
                look?.centered == true ? "centered" : nil,
            ]
            return [name, parts.compactMap(\.self).joined(separator: " ")]
        }
        Console.print("\n" + TextTable(["other word", "means"], words).text)
    }
}
