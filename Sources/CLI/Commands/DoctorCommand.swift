import ArgumentParser
import WireProtocol

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what this machine lacks for rendering or a coordinator, and how to get it.",
        discussion: """
            ✓ is there, ! is missing and some things do without, ✗ must be mended: then the exit code is 2.

              cutfarm doctor
              cutfarm doctor --coordinator https://farm.example:7411
            """
    )

    @OptionGroup var farm: FarmOptions

    @Option(help: ArgumentHelp("Folder of the database and of all artifacts.", valueName: "folder"))
    var state: String?

    func run() async throws {
        let machine = await MachineCheck(stateFolder: StateFolder.place(state)).all()
        let found = machine + (await CoordinatorCheck(options: farm).all())
        let width = found.map(\.name.count).max() ?? 0
        for entry in found {
            let name = entry.name + String(repeating: " ", count: width - entry.name.count)
            Console.print("\(Paint.mark(entry.grade))  \(name)  \(entry.sentence.visible)")
        }
        let bad = found.count { $0.grade == .bad }
        guard bad > 0 else { return }
        throw CommandFailure(.usage, bad == 1 ? "One thing must be mended." : "\(bad) things must be mended.")
    }
}
