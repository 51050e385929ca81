public import Foundation
import Subprocess

/// Runs a program with its arguments and waits for it; for the tools a test makes and checks media with.
public enum Shell {
    public struct Outcome: Sendable {
        public let exitCode: Int32
        public let output: Data
        public let errors: String
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    public struct Failed: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameter limit: bytes of standard output that are kept at the most.
    public static func run(_ program: String, _ arguments: [String], limit: Int = 1 << 30) async throws -> Outcome {
        let result = try await Subprocess.run(
            .name(program),
            arguments: Arguments(arguments),
            output: .data(limit: limit),
            error: .string(limit: 1 << 20)
        )
        let code: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        return Outcome(exitCode: code, output: result.standardOutput, errors: result.standardError)
    }

    /// ffmpeg, silent, overwriting. - Throws: ``Failed`` with what it printed when it does not exit with 0.
    @discardableResult
    public static func ffmpeg(_ arguments: [String]) async throws -> Data {
        let outcome = try await run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.exitCode == 0 else { throw Failed(description: "ffmpeg: " + outcome.errors) }
        return outcome.output
    }
}
