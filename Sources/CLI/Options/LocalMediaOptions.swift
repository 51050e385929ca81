import ArgumentParser
import Ingest
import Sandbox

/// The options of commands that open media on this machine.
struct LocalMediaOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder where facts of files are remembered.", valueName: "folder"))
    var state: String?

    @Flag(help: "Open media also where the kernel offers no sandbox. Only for sources you trust.")
    var allowUnsandboxed = false

    /// A probe that remembers what it finds in the state folder.
    func probe() -> LocalProbe {
        LocalProbe(
            process: RenderProcess(allowUnsandboxed: allowUnsandboxed),
            stateFolder: StateFolder.place(state)
        )
    }
}
