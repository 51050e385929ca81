import CompositionModel
import Planning
import Timing

/// Resolves outputs of the preset `match`: chooses the source that they follow and takes from it what is its.
struct MatchResolver {
    let composition: Composition
    /// The facts of every asset of the composition.
    let facts: [ContentDigest: AssetFacts]
    /// The names of the edit's own assets.
    let names: [String]
    let log: FindingLog

    /// What the document or the command line says of an output.
    struct Request {
        /// The asset to follow; nil leaves the choice to this.
        var pin: Marked<String>?
        /// The place of the preset.
        var mark: SourceMark
    }

    /// The output as it is with its source.
    /// - Returns: `settings` as they are after a finding, and when their preset follows no source.
    func resolved(_ settings: OutputSettings, _ request: Request) -> OutputSettings {
        guard settings.match == nil, PresetCatalog.preset(named: settings.preset)?.followsSource == true else {
            return settings
        }
        guard let video = settings.video else {
            refuse(request, "the edit shows no picture", instead: PresetCatalog.standard(picture: false))
            return settings
        }
        do throws(PlanError) {
            let survey = try CopySurvey(composition, encoding: video, range: settings.range, facts: facts)
            let candidates = try survey.candidates()
            if let pin = request.pin { return try pinned(settings, to: pin, survey, candidates) }
            guard let best = try survey.best(of: candidates, for: settings) else {
                refuse(request, try survey.reasons(), instead: PresetCatalog.standard(picture: true))
                return settings
            }
            let chosen = following(settings, best.asset, best.stream)
            guard try isPossible(chosen, survey, request) else { return settings }
            let words = chosen.matchWords ?? ""
            let name = composition.assets[best.asset].name
            log.note(request.mark, .impliedMatch, "the output \(words); \"match\": \"\(name)\" keeps it so")
            return chosen
        } catch {
            log.error(request.mark, .match, error.failure.message)
            return settings
        }
    }

    private func refuse(_ request: Request, _ reason: String, instead preset: String) {
        let mark = request.pin?.mark ?? request.mark
        // A preset of the command line stands in no text that could be corrected.
        let advice = mark == .nowhere ? "use another preset: --preset \(preset)" : "use another preset"
        let suggestion = mark == .nowhere ? nil : JSONText.quoted(preset)
        log.error(mark, .match, "nothing can be copied: \(reason); \(advice)", suggestion: suggestion)
    }

    private func pinned(
        _ settings: OutputSettings,
        to pin: Marked<String>,
        _ survey: CopySurvey,
        _ candidates: [CopySurvey.Candidate]
    ) throws(PlanError) -> OutputSettings {
        guard let asset = composition.assets.firstIndex(where: { $0.name == pin.value }) else {
            refuseName(pin)
            return settings
        }
        let digest = composition.assets[asset].digest
        let own = candidates.first { composition.assets[$0.asset].digest == digest }?.stream
        let streams = facts[digest]?.video ?? []
        guard let stream = streams.first(where: { $0.streamIndex == own }) ?? facts[digest]?.defaultVideo else {
            refuse(pin, "it is no picture")
            return settings
        }
        if let reason = survey.refusal(of: stream) {
            refuse(pin, reason.words)
            return settings
        }
        let chosen = following(settings, asset, stream.streamIndex)
        return try isPossible(chosen, survey, Request(pin: pin, mark: pin.mark)) ? chosen : settings
    }

    /// Whether every frame of an output whose codec is only copied can be copied. Otherwise an error lists the others.
    private func isPossible(
        _ settings: OutputSettings,
        _ survey: CopySurvey,
        _ request: Request
    ) throws(PlanError) -> Bool {
        guard let video = settings.video, video.isCopyOnly, let match = settings.match else { return true }
        let rest = try survey.uncopied(with: video)
        guard !rest.isEmpty else { return true }
        let coding = match.coding ?? video.codec.title
        let refusal = rest.refusal(of: coding, at: composition.format.frameRate)
        log.error(request.pin?.mark ?? request.mark, .match, "\"\(match.asset)\" cannot be followed: \(refusal)")
        return false
    }

    /// A name that none of the composition's assets has.
    private func refuseName(_ pin: Marked<String>) {
        if composition.nested?.contains(where: { $0.name == pin.value }) == true {
            return refuse(pin, "it is an edit; name footage that it shows")
        }
        if names.contains(pin.value) { return refuse(pin, "no track uses it") }
        let known = composition.assets.filter { facts[$0.digest]?.video.isEmpty == false }.map(\.name)
        let nearest = Spelling.nearest(to: pin.value, in: known)
        let message = "there is no asset \"\(pin.value)\" to follow; there are \(DeclaredNames.list(known))"
        log.error(pin.mark, .match, message, suggestion: nearest.map(JSONText.quoted))
    }

    private func refuse(_ pin: Marked<String>, _ reason: String) {
        let message = "asset \"\(pin.value)\" has no picture that can be copied: \(reason)"
        let advice = "name another one, or take \"match\" out"
        log.error(pin.mark, .match, "\(message); \(advice)")
    }

    private func following(_ settings: OutputSettings, _ asset: Int, _ stream: Int) -> OutputSettings {
        let named = composition.assets[asset]
        guard let file = facts[named.digest], let video = file.video.first(where: { $0.streamIndex == stream }) else {
            return settings
        }
        return settings.following(named.name, file, video)
    }
}

extension MatchResolver {
    /// The outputs of a composition with their sources.
    /// - Parameter options: what replaced the outputs of `document`.
    func outputs(of document: EditDocument, _ options: CompileOptions) -> [OutputSettings] {
        composition.outputs.enumerated().map { index, settings in
            guard options.replacingPreset == nil else {
                let pin = options.match.map { Marked($0, SourceMark.nowhere) }
                return resolved(settings, Request(pin: pin, mark: .nowhere))
            }
            // The outputs of a composition are resolved.
            guard case .edit(let edit) = document else { return settings }
            guard edit.outputs.indices.contains(index) else {
                return resolved(settings, Request(pin: nil, mark: edit.mark))
            }
            let written = edit.outputs[index]
            return resolved(settings, Request(pin: written.match, mark: written.preset.mark))
        }
    }
}

extension CopySurvey {
    /// Why nothing can be copied, in words.
    fileprivate func reasons() throws(PlanError) -> String {
        let shares = try encoded()
        guard shares.count != 1 else { return shares[0].reason.words }
        return shares.prefix(3).map { "\(Count.of($0.frames, "frame")): \($0.reason.words)" }.joined(separator: ", ")
    }
}
