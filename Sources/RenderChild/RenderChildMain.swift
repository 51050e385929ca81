import CSandbox
import CompositionModel
import Foundation
import Media
import Sandbox
import WireProtocol

/// `cutfarm-render`: the only program that opens media. It serves one request over descriptor 0, in a sandbox that was
/// closed around it before this runs, and ends.
@main
enum RenderChildMain {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        cut_keep_memory()
        guard CommandLine.arguments.contains("run") else {
            FileHandle.standardError.write(
                Data("cutfarm-render is started by cutfarm; it has no commands of its own.\n".utf8)
            )
            exit(2)
        }
        LibAV.sayOnStandardError()
        let parent = ParentLink(descriptor: 0)
        parent.watch()
        parent.end(with: answer(to: parent))
    }

    private static func answer(to parent: ParentLink) -> RenderEvent {
        do {
            let request = try parent.receiveRequest()
            try SandboxCheck.require(allowUnsandboxed: CommandLine.arguments.contains("--allow-unsandboxed"))
            CPUFeaturePolicy(for: request, environment: ProcessInfo.processInfo.environment).apply()
            return .result(try RequestServer(parent: parent).serve(request))
        } catch {
            return .failure(failure(error))
        }
    }

    /// The failure that the parent is told; an unknown error may be tried again.
    static func failure(_ error: any Error) -> Failure {
        (error as? any FailureConvertible)?.failure
            ?? Failure(code: "render_failed", message: "Rendering failed: \(error)", isPermanent: false)
    }
}
