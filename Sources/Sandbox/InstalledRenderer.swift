import CompositionModel
import WireProtocol

/// The render program of this machine, which is asked for its versions once. It may be shared: callers that come while
/// the program is asked wait for the same answer.
package actor InstalledRenderer {
    /// What decides whether two render programs give the same bytes, and as whom this one works.
    package struct Versions: Sendable {
        /// The version of the renderer.
        package let renderer: Int
        /// The versions of its libraries by name.
        package let libraries: [String: String]
        /// The user as whom its processes work: this process's, or nobody (65534) where root starts them and the kernel
        /// and the file system let it become another.
        package let user: UInt32
    }

    private let process: RenderProcess
    private var answer: Task<Versions, any Error>?

    /// Describes the program; ``versions()`` starts it.
    package init(_ process: RenderProcess) { self.process = process }

    /// The versions that the program reports. After a failure the next call asks again.
    /// - Throws: ``RenderFailed`` when the program is missing, does not run, or answers something else.
    package func versions() async throws -> Versions {
        let asked = answer ?? Task { [process] in try await InstalledRenderer.ask(process) }
        answer = asked
        do {
            return try await asked.value
        } catch {
            if answer == asked { answer = nil }
            throw error
        }
    }

    private static func ask(_ process: RenderProcess) async throws -> Versions {
        let outcome = try await process.run(.versions, readable: [], writable: [])
        guard case .versions(let renderer, let libraries, let user) = outcome.result else {
            let message = "The render process did not say its version."
            throw RenderFailed(Failure(code: "unexpected", message: message, isPermanent: false))
        }
        return Versions(renderer: renderer, libraries: libraries, user: user)
    }
}
