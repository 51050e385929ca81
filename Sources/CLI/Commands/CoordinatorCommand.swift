import ArgumentParser
import Coordinator
import Farm
import Foundation
import Logging
import PostgreSQL
import Sandbox
import ServiceLifecycle
import Storage

struct CoordinatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator",
        abstract: "Run a farm's coordinator: its API, its dashboard, its database.",
        discussion: """
            Without --database-url it runs a private PostgreSQL of its own below the state folder.

              cutfarm coordinator --token-file tokens
              cutfarm coordinator --token-file tokens --database-url-file address

            The token file has a line for each token: owner, scopes (view, submit, worker, admin) and the token, or its \
            SHA-256 as sha256:<hex>.
            """
    )

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 takes any free one.")
    var port = 7411

    @Option(
        help: ArgumentHelp(
            "Name or address by which clients ask, without a port; then requests for any other are refused.",
            valueName: "name"
        )
    )
    var allowedHost: [String] = []

    @Option(help: ArgumentHelp("Owners, scopes and tokens; else CUTFARM_TOKEN_FILE.", valueName: "path"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("Folder of the database and of all artifacts.", valueName: "folder"))
    var state: String?

    @Option(help: ArgumentHelp("PostgreSQL to use; else CUTFARM_DATABASE_URL, else a private one.", valueName: "url"))
    var databaseURL: String?

    @Option(help: ArgumentHelp("File that holds the database's address, password included.", valueName: "path"))
    var databaseURLFile: String?

    @Option(
        help: ArgumentHelp(
            "Folder from which clients on this host may name files without sending them.",
            valueName: "folder"
        )
    )
    var assetRoot: [String] = []

    @Option(
        help: ArgumentHelp(
            "Folder into which finished movies are put by `submit --to`, under its own name or another one before a =.",
            valueName: "[name=]folder"
        )
    )
    var outputRoot: [String] = []

    @Option(help: ArgumentHelp("Days after a job's end that its events and attempts stay; 0: always.", valueName: "n"))
    var retentionDays = 30

    @Option(
        help: ArgumentHelp("Tasks of unfinished jobs that one owner may have; more are refused.", valueName: "n")
    )
    var ownerTasks = OwnerQuota().tasks

    @Option(
        help: ArgumentHelp(
            "Hours for which an upload that was cut is kept after its last byte, so that the rest can be sent.",
            valueName: "n"
        )
    )
    var uploadHours = 24

    @Option(
        help: ArgumentHelp(
            "Host that webhooks may be sent to: a name, *.name, or addresses such as 10.1.0.0/16. Private addresses are only "
                + "sent to where they are named.",
            valueName: "host"
        )
    )
    var webhookAllow: [String] = []

    @Option(
        name: .customLong("otlp-endpoint"),
        help: ArgumentHelp(
            "Export traces of jobs here over OTLP/HTTP, such as http://127.0.0.1:4318; /v1/traces is added.",
            valueName: "url"
        )
    )
    var otlpEndpoint: String?

    @OptionGroup var keep: KeepOptions

    @OptionGroup var parts: PartsOptions

    @OptionGroup var artifacts: ArtifactOptions

    @OptionGroup var sources: SourceOptions

    @OptionGroup var s3: S3Options

    @Option(help: ArgumentHelp("Certificate chain, as PEM.", valueName: "path"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("Private key of the certificate, as PEM.", valueName: "path"))
    var tlsKey: String?

    @Flag(help: "Give /metrics, for Prometheus, to whoever asks; else it needs a token with the scope view.")
    var metricsOpen = false

    @Option(help: ArgumentHelp("Write the address here once requests are served.", valueName: "path"))
    var addressFile: String?

    @Flag(help: "Open media also where the kernel offers no sandbox. Only for sources you trust.")
    var allowUnsandboxed = false

    @Flag(help: .hidden)
    var untilInputCloses = false

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535.") }
        guard (0...36_500).contains(retentionDays) else {
            throw ValidationError("--retention-days takes a number from 0 to 36500.")
        }
        guard (1...8760).contains(uploadHours) else {
            throw ValidationError("--upload-hours takes a number from 1 to 8760.")
        }
        guard ownerTasks > 0 else { throw ValidationError("--owner-tasks takes a number above 0.") }
        if let otlpEndpoint {
            let parts = URLComponents(string: otlpEndpoint)
            guard ["http", "https"].contains(parts?.scheme), parts?.host?.isEmpty == false else {
                throw ValidationError("--otlp-endpoint takes an address such as http://127.0.0.1:4318.")
            }
        }
        do throws(WebhookAllowList.Refused) {
            _ = try WebhookAllowList(webhookAllow)
        } catch {
            throw ValidationError("--webhook-allow: \(error)")
        }
        guard artifacts.artifacts == nil || assetRoot.isEmpty else {
            throw ValidationError(
                "--asset-root names files of this host, and --artifacts keeps everything in a bucket."
            )
        }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
    }

    func run() async throws {
        ProcessMemory.keepLittle()
        let tokens = try tokenBook()
        try AddressUnusable.check(host: host, port: port)
        for root in assetRoot where !PlannedOutput.isExistingFolder(StateFolder.absolute(root)) {
            throw CommandFailure(.usage, "The asset root \(root) is no folder; make it first.")
        }
        let outputs: OutputFolders
        do { outputs = try OutputFolders(outputRoot) } catch { throw CommandFailure(.usage, error.description) }
        let folder = try StateFolder.path(state)
        var logger = ServiceLog.logger()
        logger[metadataKey: "role"] = "coordinator"
        for name in outputs.silentNames {
            let what = "an output folder does not answer; its movies wait until it does"
            logger.warning("\(what)", metadata: ["folder": "\(name)"])
        }
        let (address, log) = (try url(), logger)
        // One listener from here to the end: a first start takes a while, and a signal in it must neither leave half of
        // a database server behind nor be lost before the services run.
        let tell = { @Sendable in log.notice("a signal ends the coordinator") }
        let end = try await Interruptible.run(onSignal: tell) { () async throws -> Result<Void, any Error> in
            let database = try await FarmDatabase.open(
                url: address,
                stateFolder: folder,
                policy: policy,
                logger: log
            )
            let end = await serve(database, tokens: tokens, outputs: outputs, folder: folder, logger: log)
            await database.close()
            return end
        }
        try end.get()
    }

    /// The numbers by which the farm decides.
    private var policy: FarmPolicy {
        var policy = FarmPolicy()
        policy.quota.tasks = ownerTasks
        policy.keepsParts = parts.limit > 0
        return policy
    }

    /// - Returns: how the services ended, which is told as it is also after a signal.
    private func serve(
        _ database: FarmDatabase,
        tokens: TokenBook,
        outputs: OutputFolders,
        folder: String,
        logger: Logger
    ) async -> Result<Void, any Error> {
        do {
            let services = try services(database, tokens: tokens, outputs: outputs, folder: folder, logger: logger)
            return .success(try await ServiceGroup.runUntilCancelled(services, logger: logger))
        } catch {
            return .failure(error)
        }
    }

    private func services(
        _ database: FarmDatabase,
        tokens: TokenBook,
        outputs: OutputFolders,
        folder: String,
        logger: Logger
    ) throws -> [any Service] {
        var configuration = CoordinatorConfiguration(
            store: database.store,
            artifactRoot: folder + "/artifacts",
            tokens: tokens,
            renderer: RenderProcess(allowUnsandboxed: allowUnsandboxed),
            logger: logger
        )
        configuration.host = host
        configuration.port = port
        configuration.allowedHosts = allowedHost
        configuration.opensMetrics = metricsOpen
        if database.isPrivate { configuration.watchedFolders = [folder + "/postgresql"] }
        configuration.retention = retentionDays == 0 ? nil : .seconds(retentionDays * 86_400)
        configuration.partsLimit = parts.limit
        configuration.bucket = try artifacts.bucket(s3)
        configuration.sources = try sources.settings(s3)
        configuration.sources?.idle = .seconds(uploadHours * 3600)
        configuration.uploadIdle = .seconds(uploadHours * 3600)
        configuration.otlpEndpoint = otlpEndpoint.map { address in
            let base = address.hasSuffix("/") ? String(address.dropLast()) : address
            return base.hasSuffix("/v1/traces") ? base : base + "/v1/traces"
        }
        (configuration.keptMovies, configuration.keptAssets) = (keep.movies, keep.assets)
        configuration.webhookHosts = try WebhookAllowList(webhookAllow)
        configuration.outputFolders = outputs
        configuration.allowedRoots = assetRoot.map(StateFolder.absolute)
        if let tlsCertificate, let tlsKey {
            configuration.tls = .init(certificate: tlsCertificate, privateKey: tlsKey)
        }
        let scheme = tlsCertificate == nil ? "http" : "https"
        // One who can read this terminal started the coordinator, and has its token file.
        let links = Console.errorIsTerminal ? SignInLinks(tokens: tokens) : nil
        configuration.signInLinks = links
        let (host, addressFile) = (Self.reachable(host), addressFile)
        let isEverywhere = ["0.0.0.0", "::"].contains(self.host)
        configuration.onReady = { port in
            let address = "\(scheme)://\(host):\(port)"
            if let links {
                let elsewhere = "\(scheme)://\(isEverywhere ? ProcessInfo.processInfo.hostName : host):\(port)"
                Console.error(StartNotice(address: address, elsewhere: elsewhere, link: links.make()).text)
            }
            logger.info("serving", metadata: ["address": "\(address)"])
            if let addressFile {
                try? Data("\(address)\n".utf8).write(to: URL(fileURLWithPath: addressFile), options: .atomic)
            }
        }
        var services: [any Service] = [database, CoordinatorService(configuration)]
        if untilInputCloses { services.append(InputWatch()) }
        return services
    }

    /// The host of an address by which this machine reaches what listens on `host`.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }

    private func tokenBook() throws -> TokenBook {
        guard let path = tokenFile ?? FarmOptions.environment("CUTFARM_TOKEN_FILE") else {
            throw CommandFailure(
                .usage,
                "A coordinator needs to know who may do what; give --token-file with lines “owner scope,scope token”."
            )
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure(.usage, "The token file \(path) cannot be read.")
        }
        do {
            return try TokenBook(text: text)
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }

    private func url() throws -> String? {
        if let databaseURLFile {
            guard let text = try? String(contentsOfFile: databaseURLFile, encoding: .utf8) else {
                throw CommandFailure(.usage, "The file \(databaseURLFile) cannot be read.")
            }
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return databaseURL ?? FarmOptions.environment("CUTFARM_DATABASE_URL")
    }
}
