import ArgumentParser
import CompositionModel

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "presets", abstract: "List the export presets.")

    func run() {
        let rows = PresetCatalog.all.map { [$0.name, $0.summary] }
        Console.print(TextTable(["preset", "what it makes"], rows).text)
    }
}
