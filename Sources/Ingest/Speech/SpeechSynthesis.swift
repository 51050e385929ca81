import Foundation
import Shared

/// Has espeak-ng speak, as a process of its own on the machine that submits.
enum SpeechSynthesis {
    /// Why there is no sound, as a sentence.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// What stands in place of `espeak-ng` on the search path.
    static let variable = "CUTFARM_ESPEAK"
    /// Some hundred times what the longest text takes.
    private static let patience: TimeInterval = 120

    /// Writes the sound of `text` to a wave file. Blocks: not for the cooperative pool.
    /// - Throws: ``Refusal``, or what writing throws.
    static func write(_ text: SpokenText, to path: String) throws {
        let words = path + ".txt"
        defer { try? FileManager.default.removeItem(atPath: words) }
        try Data((text.text + "\n").utf8).write(to: URL(fileURLWithPath: words))
        guard let program = program() else {
            let way = "install it (Debian: apt install espeak-ng) or use a sound file"
            throw Refusal(description: "speech needs the program espeak-ng, which is not there; \(way)")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = text.arguments(to: path)
        process.standardInput = FileHandle(forReadingAtPath: words)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { throw Refusal(description: "\(program) cannot be started") }
        guard ended.wait(timeout: .now() + patience) == .success else {
            process.terminate()
            throw Refusal(description: "\(program) did not end within \(Int(patience)) s")
        }
        // It says nothing of an unknown voice but its exit code; a header alone is no sound.
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard process.terminationStatus == 0, size > 44 else {
            let way = "\"espeak-ng --voices\" lists those it has"
            throw Refusal(description: "espeak-ng cannot speak this with the voice \"\(text.voice)\"; \(way)")
        }
    }

    private static func program() -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let own = environment[variable] { return FileManager.default.isExecutableFile(atPath: own) ? own : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { $0 + "/espeak-ng" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
