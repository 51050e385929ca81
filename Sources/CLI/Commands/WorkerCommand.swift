import ArgumentParser
import Coordinator
import Farm
import Foundation
import Logging
import Sandbox
import ServiceLifecycle
import WireProtocol
import Worker

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Run a worker that renders for a coordinator.",
        discussion: """
            Each slot renders one segment at a time on one core. Sources are fetched as they are needed, into a cache that \
            all workers of a host may share. On SIGTERM a worker takes nothing new, and hands back what it cannot finish \
            within --drain-seconds.

              cutfarm worker --coordinator http://10.0.0.5:7411 --token-file token
            """
    )

    @OptionGroup var farm: FarmOptions

    @Option(help: "Shown in lists.")
    var name = WorkerName.standard()

    @Option(
        help: ArgumentHelp(
            "The machine that it runs on, where several containers share one; workers of one do not audit each other.",
            valueName: "name"
        )
    )
    var machine = ProcessInfo.processInfo.hostName

    @Option(help: ArgumentHelp("A tag that jobs may require; may be given several times.", valueName: "name"))
    var tag: [String] = []

    @Option(help: "Tasks at a time.")
    var slots = 1

    @Option(help: ArgumentHelp("Folder of fetched sources; by default below the state folder.", valueName: "folder"))
    var cache: String?

    @Option(help: ArgumentHelp("Gibibytes that the cache may take.", valueName: "GiB"))
    var cacheLimit = 50

    @Option(help: ArgumentHelp("Seconds that work in hand may go on after SIGTERM.", valueName: "seconds"))
    var drainSeconds = 8

    @Option(help: ArgumentHelp("Mebibytes of address space that one rendering may use.", valueName: "MiB"))
    var memoryLimit = 16384

    @Flag(help: "Open media also where the kernel offers no sandbox. Only for sources you trust.")
    var allowUnsandboxed = false

    @Flag(help: .hidden)
    var untilInputCloses = false

    func validate() throws {
        guard (1...256).contains(slots) else { throw ValidationError("--slots takes a number from 1 to 256.") }
        guard cacheLimit >= 1 else { throw ValidationError("--cache-limit takes a number from 1.") }
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("--name is empty; leave it out for the host's name.")
        }
        for tag in tag where !WorkerRequirement.isName(tag) {
            throw ValidationError("--tag takes 1 to 64 letters, digits, -, _ and .; “\(tag)” is no tag.")
        }
        guard tag.count <= 100 else { throw ValidationError("--tag may be given 100 times at the most.") }
        guard machine.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("--machine is empty; leave it out for the host's name.")
        }
        guard memoryLimit >= Self.leastMemory else {
            throw ValidationError("--memory-limit takes a number from \(Self.leastMemory).")
        }
        guard drainSeconds >= 0 else { throw ValidationError("--drain-seconds takes a number from 0.") }
    }

    /// Mebibytes below which a render process does not begin.
    private static let leastMemory = 512

    /// The folder of the cache, made where it is missing.
    /// - Throws: ``CommandFailure`` when it cannot be made.
    private func cacheFolder() throws -> String {
        guard let cache else { return try StateFolder.path(nil) + "/cache" }
        let path = StateFolder.absolute(cache)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.usage, "The cache folder \(path) cannot be made; choose another with --cache.")
        }
        return path
    }

    func run() async throws {
        var logger = ServiceLog.logger()
        logger[metadataKey: "role"] = "worker"
        logger[metadataKey: "worker"] = "\(name)"
        let configuration = WorkerConfiguration(
            connection: try farm.connect(),
            name: name,
            machine: machine,
            tags: Array(Set(tag)).sorted(),
            slots: slots,
            cacheFolder: try cacheFolder(),
            cacheLimit: Int64(cacheLimit) << 30,
            process: RenderProcess(memoryMiB: memoryLimit, allowUnsandboxed: allowUnsandboxed),
            drainLimit: .seconds(drainSeconds)
        )
        var services: [any Service] = [WorkerService(configuration, logger: logger)]
        if untilInputCloses { services.append(InputWatch()) }
        try await ServiceGroup.runUntilSignalled(services, logger: logger)
    }
}
