import ArgumentParser
import Testing

@testable import CLI

/// What `--help` prints on a terminal of 80 columns.
@Suite struct HelpTests {
    static let commands: [any ParsableCommand.Type] =
        [CutfarmCommand.self]
        + CutfarmCommand.configuration.groupedSubcommands.flatMap(\.subcommands)

    /// No paragraph has a short line in its middle: that is a line end of the source, not one of the terminal.
    @Test(arguments: commands.indices) func paragraphsAreBrokenOnce(index: Int) {
        let command = Self.commands[index]
        let help = CutfarmCommand.helpMessage(for: command, columns: 80)
        let overview = help.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("USAGE") }
        for (line, next) in zip(overview, overview.dropFirst()) where !line.isEmpty && line.first != " " {
            guard let word = next.split(separator: " ").first, next.first != " " else { continue }
            #expect(line.count + 1 + word.count >= 80, "\(command._commandName): \(line)")
        }
        // An example is not broken at all.
        for (line, next) in zip(overview, overview.dropFirst()) where line.hasPrefix("  ") && !next.isEmpty {
            #expect(next.hasPrefix("  "), "\(command._commandName): \(line)")
        }
    }

    @Test func everyExitCodeHasALine() {
        let help = CutfarmCommand.helpMessage(columns: 80)
        for code in ["0  done", "6  output exists", "7  no space", "130  interrupted"] {
            #expect(help.split(separator: "\n").contains { $0.hasSuffix(code) || $0.contains(" " + code) }, "\(code)")
        }
    }
}
