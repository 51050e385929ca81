import ArgumentParser
import Client
import Foundation
import Ingest
import Shared

/// Which edit, and what of it.
struct EditOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The edit or composition, a JSON file; - reads standard input.", valueName: "edit"))
    var edit: String

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    /// - Throws: ``CommandFailure`` with every finding of the text.
    func load() throws -> EditFile { try EditFile.load(edit, assets: asset, parameters: param) }
}

extension EditFile {
    /// - Parameters:
    ///   - assets: `NAME=PATH` pairs that replace what the edit says.
    ///   - parameters: `NAME=VALUE` pairs for its `params`.
    /// - Throws: ``CommandFailure`` with every finding of the text.
    static func load(_ path: String, assets: [String], parameters: [String] = []) throws -> EditFile {
        do {
            return try EditFile(
                path: path,
                replacements: try pairs(assets, of: "--asset NAME=PATH"),
                parameters: try pairs(parameters, of: "--param NAME=VALUE")
            )
        } catch let refusal as EditFile.Refusal {
            throw CommandFailure(refusal, of: path)
        }
    }

    /// What its jobs are called.
    var title: String { path == "-" ? "standard input" : (path as NSString).lastPathComponent }

    /// For commands that render: refuses at once what shows before any media is opened.
    /// - Parameters:
    ///   - probe: then the edit is refused either way, and looks into its other files, so that all is told at once.
    ///   - farm: knows the assets that are named by their digest.
    /// - Throws: ``CommandFailure`` with every finding that can be made here.
    func checkBeforeSending(
        _ probe: LocalProbe,
        options: OutputOptions,
        farm: CoordinatorConnection? = nil
    ) async throws {
        guard let document = read.document else { return }
        let findings = textFindings(document)
        guard !findings.isEmpty else { return }
        do {
            _ = try await compiled(by: probe, options: options, farm: farm)
        } catch let failure as CommandFailure where !failure.findings.isEmpty {
            throw failure
        } catch {
            // Media cannot be opened here, or the farm is away: what the text shows stays.
            try Task.checkCancellation()
        }
        throw CommandFailure(.usage, findings: read.findings + findings, of: path)
    }

    /// What shows before any media is opened, here and in the edits among the assets.
    private func textFindings(_ document: EditDocument) -> [Finding] {
        let unusable = assets.compactMapValues(\.refusal)
        let own = document.findings(of: unusable).map(read.located) + EditTextCheck.findings(document)
        return nested.sorted { $0.key < $1.key }.reduce(own) { findings, edit in
            guard let document = edit.value.read.document else { return findings }
            return findings + edit.value.textFindings(document).map { $0.inside(edit.value.path) }
        }
    }

    /// - Parameter option: such as `--asset NAME=PATH`.
    private static func pairs(_ texts: [String], of option: String) throws -> [String: String] {
        var pairs: [String: String] = [:]
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                let words = option.split(separator: " ")
                throw CommandFailure(.usage, "\(words[0]) \(text): write it as \(words[1]).")
            }
            pairs[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        return pairs
    }
}

/// What replaces the edit's outputs.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Render with this preset instead of the edit's outputs.", valueName: "name"))
    var preset: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Render only this span of the timeline, such as: --range 10s 00:00:05:00",
            valueName: "start duration"
        )
    )
    var range: [String] = []

    @Option(help: .hidden)
    var segments: Int?

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the edit.")
        }
        guard (segments ?? 1) >= 1 else { throw ValidationError("--segments takes a number from 1.") }
    }

    var span: [String]? { range.isEmpty ? nil : range }

    /// The options of the compiler that say the same.
    var compiling: CompileOptions { CompileOptions(preset: preset, range: span) }

    /// With the preset that the file's name says, where nothing else does.
    /// - Parameter destination: what `-o` says.
    func named(by destination: String?, for document: EditDocument?) -> OutputOptions {
        guard preset == nil, let document else { return self }
        var options = self
        options.preset = WrittenOutput.preset(of: destination, for: document)
        return options
    }
}

extension CommandFailure {
    /// Every error and warning on a line of its own; what was implied is no reason for a refusal.
    init(_ status: ExitStatus, findings: [Finding], of file: String) {
        let reasons = findings.filter { $0.severity != .note }
        self.init(status, lines: FindingsPrinter.lines(reasons, file: file), findings: findings)
    }
}

extension FindingsPrinter {
    static func lines(_ findings: [Finding], file: String) -> [String] { findings.map { line($0, file: file) } }
}
