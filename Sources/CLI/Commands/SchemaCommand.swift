import ArgumentParser
import EditLanguage

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of the edit format, for editors that complete and check."
    )

    func run() { Console.print(EditSchema.text) }
}
