import Client
import CompositionModel
import EditLanguage
import Ingest
import Sandbox
import WireProtocol

extension EditFile {
    /// Compiles the edit on this machine against its probed assets.
    /// - Parameters:
    ///   - farm: knows the assets that are named by their digest; nil when there is none to ask.
    ///   - checksFiles: whether the names of the edit's own files must fit their presets.
    /// - Throws: ``CommandFailure`` with every finding when the edit has errors or there are assets that cannot be
    ///   used; `ClientError`; `CancellationError`.
    func compiled(
        by probe: LocalProbe,
        options: OutputOptions,
        farm: CoordinatorConnection? = nil,
        checksFiles: Bool = false
    ) async throws -> LocalCompilation {
        let catalog = farm.map { farm -> Catalog in { digest in try await farm.facts(of: digest) } }
        let checks = checksFiles && options.preset == nil
        return try await refusalsAsFailures {
            let compiled = try await LocalCompilation(
                self,
                probe: probe,
                options: options.compiling,
                catalog: catalog,
                check: { document in checks ? WrittenOutput.findings(document) : [] }
            )
            // The container of an output that follows a source is known only now.
            let wrong = checks ? WrittenOutput.findings(compiled.composition.outputs.map(WrittenOutput.init)) : []
            guard wrong.isEmpty else {
                throw EditFile.Refusal.findings(compiled.findings + wrong.map(read.located))
            }
            return compiled
        }
    }

    /// The outputs as they are compiled on this machine, where one of them follows a source, which says its container.
    /// - Parameter farm: knows the assets that are named by their digest; nil when there is none to ask.
    /// - Returns: nil when no output follows a source, and when media cannot be opened here, so that the farm says what
    ///   it finds.
    /// - Throws: ``CommandFailure`` with every finding; `ClientError`; `CancellationError`.
    func outputsFollowingSources(
        _ probe: LocalProbe,
        options: OutputOptions,
        farm: CoordinatorConnection? = nil
    ) async throws -> [OutputSettings]? {
        guard let document = read.document else { return nil }
        let presets = WrittenOutput.list(document, preset: options.preset).map(\.preset)
        guard presets.contains(where: { PresetCatalog.preset(named: $0)?.followsSource == true }) else { return nil }
        do {
            return try await compiled(by: probe, options: options, farm: farm).composition.outputs
        } catch let failure as CommandFailure where failure.findings.isEmpty {
            return nil
        }
    }

    /// Adds the fonts that the edit's titles ask for.
    /// - Throws: ``CommandFailure`` with every family and character that is missing; `CancellationError`.
    func resolvingFonts(with finder: FontFinder) async throws -> EditFile {
        try await refusalsAsFailures { try await finder.resolve(self) }
    }

    /// Turns what modules throw about this edit into what a command throws.
    private func refusalsAsFailures<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as EditFile.Refusal {
            throw CommandFailure(refusal, of: path)
        } catch let error as RenderFailed {
            throw CommandFailure(error.failure)
        }
    }
}

extension CommandFailure {
    /// - Parameter file: the name of the edit that is refused.
    init(_ refusal: EditFile.Refusal, of file: String) {
        switch refusal {
        case .unreadable(let sentence): self.init(.usage, sentence)
        case .findings(let findings): self.init(.usage, findings: findings, of: file)
        }
    }
}

extension CoordinatorConnection {
    /// The facts of an asset that the farm has.
    /// - Returns: nil when the farm does not have the asset, or keeps no facts of it.
    /// - Throws: `ClientError`.
    fileprivate func facts(of digest: ContentDigest) async throws(ClientError) -> AssetFacts? {
        do {
            return try await record(of: digest).facts
        } catch .problem(let problem) where problem.status == 404 {
            return nil
        }
    }
}
