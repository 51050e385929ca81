import ArgumentParser
import Foundation
import Subprocess

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Print the dashboard's address, of one job if you name it, and open it in a browser.",
        discussion: """
            Without a graphical session, and with --print, it only prints the address.

              cutfarm open
              cutfarm open 019f3a
            """
    )

    @Argument(help: ArgumentHelp("The job.", valueName: "id"), transform: JobArgument.init(argument:))
    var id: JobArgument?
    @OptionGroup var farm: FarmOptions

    @Flag(name: .customLong("print"), help: "Open no browser.")
    var printsOnly = false

    func run() async throws {
        var address = try farm.coordinator()
        while address.hasSuffix("/") { address.removeLast() }
        address += "/"
        if let id { address += "#\(try await id.job(of: farm.connect()))" }
        Console.print(address)
        guard !printsOnly, Self.hasScreen else { return }
        // Its own group: Control-C at this terminal is not for the browser.
        var options = PlatformOptions()
        options.processGroupID = 0
        _ = try? await Subprocess.run(
            .name("xdg-open"),
            arguments: [address],
            platformOptions: options,
            output: .discarded,
            error: .discarded
        )
    }

    /// Whether this process belongs to a graphical session, or the user names a browser.
    private static var hasScreen: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { FarmOptions.environment($0) != nil }
    }
}
