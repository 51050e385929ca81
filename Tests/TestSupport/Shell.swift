package import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs a program with its arguments and waits for it; for the tools a test makes and checks media with.
package enum Shell {
    package struct Outcome: Sendable {
        package let exitCode: Int32
        package let output: Data
        package let errors: String
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a program to its end, which is named as the shell names it: by a path, or alone for one in PATH.
    /// - Parameter limit: bytes of standard output that are kept at the most.
    package static func run(_ program: String, _ arguments: [String], limit: Int = 1 << 30) async throws -> Outcome {
        guard program == "ffmpeg" else { return try await start(program, arguments, limit: limit) }
        await ffmpegTurns.enter()
        do {
            let outcome = try await start(program, arguments, limit: limit)
            await ffmpegTurns.leave()
            return outcome
        } catch {
            await ffmpegTurns.leave()
            throw error
        }
    }

    /// The tests of a suite run side by side, and would start an encoder each. A process of the tests starts four at a time:
    /// more are done no sooner, and keep the farms of the end-to-end tests waiting.
    private static let ffmpegTurns = Turns(count: 4)

    private static func start(_ program: String, _ arguments: [String], limit: Int) async throws -> Outcome {
        let result = try await Subprocess.run(
            program.contains("/") ? .path(FilePath(program)) : .name(program),
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
    package static func ffmpeg(_ arguments: [String]) async throws -> Data {
        let outcome = try await run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.exitCode == 0 else { throw Failed(description: "ffmpeg: " + outcome.errors) }
        return outcome.output
    }
}

/// At most `count` callers are inside at a time. The others enter in the order in which they came.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { free = count }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard !waiting.isEmpty else {
            free += 1
            return
        }
        waiting.removeFirst().resume()
    }
}
