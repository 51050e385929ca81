import CompositionModel
import EditLanguage
import Foundation
import Ingest
import Timing
import WireProtocol

/// How what cannot be exported is had by encoding: a command that works as it is typed.
struct ExportAdvice {
    /// The paths as the user gave them.
    let paths: [String]
    let facts: [AssetFacts]
    /// The range that was asked for; nil for all.
    let range: TimeRange?
    /// The file to write as the user named it.
    let output: String
    let isForced: Bool
    let probe: LocalProbe

    /// The line that says it.
    /// - Returns: nil where no preset makes it.
    /// - Throws: `CancellationError`.
    func line() async throws -> String? {
        for preset in presets {
            guard let name = try await outputName(preset) else { continue }
            let isCopied = preset == PresetCatalog.matchName
            let part = isCopied ? "To encode only what cannot be copied" : "To encode it"
            let what = part + ", as one picture and one sound"
            let options = (["--preset", preset] + span + (isForced ? ["--force"] : [])).joined(separator: " ")
            let command = "cutfarm render - -o \(ShellText.quoted(name)) \(options)"
            return "\(what): printf %s \(ShellText.quoted(edit)) | \(command)"
        }
        return nil
    }

    /// The presets to try, in order. Most pictures of H.264 can be copied beside the few that have to be encoded.
    private var presets: [String] {
        let isCopied = facts.contains { $0.defaultVideo?.copy?.stretches.isEmpty == false }
        return (isCopied ? [PresetCatalog.matchName] : []) + [PresetCatalog.standard(picture: hasPicture)]
    }

    /// What the file of a preset can be called.
    /// - Returns: nil where the preset does not make the edit.
    private func outputName(_ preset: String) async throws -> String? {
        var options = OutputOptions()
        (options.preset, options.match, options.range, options.smart) = (preset, nil, Array(span.dropFirst()), false)
        options.segments = nil
        do {
            let file = try EditFile(text: edit, path: "-")
            let compiled = try await file.compiled(by: probe, options: options)
            guard let settings = compiled.composition.outputs.first else { return nil }
            _ = try compiled.plan(output: 0, segmentCount: nil)
            return unused(WrittenOutput(settings).mismatch(output)?.better ?? output)
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }

    /// The name, or one like it that no file has. A file that the user wants to replace is named as it is.
    private func unused(_ name: String) -> String {
        if name == output || !FileManager.default.fileExists(atPath: name) { return name }
        let ending = (name as NSString).pathExtension
        let others = (1...).lazy.map { "\(name.withoutExtension)-encoded\($0 > 1 ? "-\($0)" : "").\(ending)" }
        return others.first { !FileManager.default.fileExists(atPath: $0) } ?? name
    }

    private var hasPicture: Bool { facts.first?.defaultVideo != nil }

    /// `--range` with its times: frames where the edit counts such, else seconds.
    private var span: [String] {
        guard let range else { return [] }
        guard let rate = facts.first?.defaultVideo?.editRate,
            let start = try? rate.frame(at: range.start).value,
            let end = try? rate.frame(at: range.start.adding(range.duration)).value
        else { return ["--range", "\(EditTime.seconds(range.start))", "\(EditTime.seconds(range.duration))"] }
        return ["--range", "\(EditTime.frames(start))", "\(EditTime.frames(max(1, end - start)))"]
    }

    /// The edit that plays the files one behind the other.
    private var edit: String {
        let assets = paths.enumerated().map { "\"file\($0.offset + 1)\": \(JSONText.quoted($0.element))" }
        let segments = paths.indices.map { "{ \"asset\": \"file\($0 + 1)\" }" }
        return "{ \"schema\": \"edit/1\", \"assets\": { \(assets.joined(separator: ", ")) }, "
            + "\"tracks\": [{ \"kind\": \"\(hasPicture ? "video" : "audio")\", "
            + "\"segments\": [\(segments.joined(separator: ", "))] }] }"
    }
}
