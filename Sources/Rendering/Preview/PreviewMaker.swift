package import WireProtocol

/// Makes what is looked at, or played, of an output that is not finished.
package enum PreviewMaker {
    /// - Throws: ``RenderError`` and ``MediaError`` of the parts; `preview_unsupported` for a track that browsers do not
    ///   play.
    package static func make(_ request: PreviewRequest) throws -> RenderResult {
        switch request {
        case .picture(let request): .artifact(unitCount: try PreviewSheet.write(request))
        case .head(let request): .track(codec: try PreviewHead.write(request))
        case .fragment(let request): .artifact(unitCount: try PreviewFragment.write(request))
        }
    }
}

extension RenderError {
    static func notPlayed(_ what: String) -> RenderError {
        RenderError("preview_unsupported", "Browsers do not play \(what).", isPermanent: true)
    }
}
