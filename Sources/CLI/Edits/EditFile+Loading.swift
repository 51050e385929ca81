import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import Sandbox

extension EditFile {
    /// Reads an edit with the options of a command.
    /// - Parameters:
    ///   - assets: `NAME=PATH` pairs that replace what the edit says.
    ///   - parameters: `NAME=VALUE` pairs for its `params`.
    ///   - preset: the preset that the command names instead of the edit's outputs.
    /// - Throws: ``CommandFailure`` with every finding of the text.
    static func load(
        _ path: String,
        assets: [String],
        parameters: [String] = [],
        preset: String? = nil
    ) throws -> EditFile {
        do {
            return try EditFile(
                path: path,
                replacements: try pairs(assets, of: "--asset NAME=PATH"),
                parameters: try pairs(parameters, of: "--param NAME=VALUE"),
                preset: preset
            )
        } catch let refusal as EditFile.Refusal {
            throw CommandFailure(refusal, of: path)
        }
    }

    /// The title of the edit's jobs.
    var title: String { path == "-" ? "standard input" : (path as NSString).lastPathComponent }

    /// Refuses an edit whose text has errors, or whose fonts are missing, before any media is sent; then it also probes
    /// the files, so that one answer reports every error.
    /// - Parameters:
    ///   - probe: Opens fonts, and the files of a refused edit.
    ///   - farm: Answers for assets named by digest; nil when there is no farm to ask.
    /// - Throws: ``CommandFailure`` with every finding that can be made here; `CancellationError`.
    func checkBeforeSending(
        _ probe: LocalProbe,
        options: OutputOptions,
        farm: CoordinatorConnection? = nil
    ) async throws {
        guard let document = read.document else { return }
        var findings = textFindings(document)
        do {
            findings += try await FontFinder(process: probe.process).search(self).findings
        } catch let error as RenderFailed where findings.isEmpty {
            throw CommandFailure(error.failure)
        } catch is RenderFailed {
            // Fonts cannot be opened here: what the text shows stays.
        }
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

    /// Refuses an edit that does not compile against its media.
    /// - Parameter probe: opens fonts and media; nothing is said where it cannot.
    /// - Returns: what it compiles to; nil where media cannot be opened here.
    /// - Throws: ``CommandFailure`` with every finding; `CancellationError`.
    @discardableResult
    func checkCompiling(by probe: LocalProbe, options: OutputOptions) async throws -> LocalCompilation? {
        do {
            return try await compiled(by: probe, options: options)
        } catch let failure as CommandFailure where failure.findings.isEmpty {
            // The farm says what it finds.
            return nil
        }
    }

    /// The findings that need no media, in this edit and in those among its assets.
    private func textFindings(_ document: EditDocument) -> [Finding] {
        let unusable = assets.compactMapValues(\.refusal)
        let own = document.findings(of: unusable).map(read.located) + EditTextCheck.findings(document)
        return nested.sorted { $0.key < $1.key }.reduce(own) { findings, edit in
            guard let document = edit.value.read.document else { return findings }
            return findings + edit.value.textFindings(document).map { $0.inside(edit.value.path) }
        }
    }

    /// Reads pairs of names and values.
    /// - Parameter option: the option's name and form, such as `--asset NAME=PATH`.
    /// - Throws: ``CommandFailure`` for a text without a sign.
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
