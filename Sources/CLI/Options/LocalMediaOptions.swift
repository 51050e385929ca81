import ArgumentParser
import Ingest
import Sandbox

/// How commands look at media on this machine.
struct LocalMediaOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder where facts of files are remembered.", valueName: "folder"))
    var state: String?

    @Flag(help: "Open media also where the kernel offers no sandbox. Only for sources you trust.")
    var allowUnsandboxed = false

    func probe() -> LocalProbe {
        LocalProbe(
            process: RenderProcess(allowUnsandboxed: allowUnsandboxed),
            stateFolder: StateFolder.place(state)
        )
    }
}
