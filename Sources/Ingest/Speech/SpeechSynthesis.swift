import CompositionModel
import Foundation

/// Synthesises speech with espeak-ng, which runs as a process of its own on the machine that submits.
enum SpeechSynthesis {
    /// The environment variable that names the program in place of `espeak-ng` on the search path.
    static let variable = "CUTFARM_ESPEAK"
    /// Seconds after which the program is ended: about a hundred times what the longest text takes.
    private static let timeoutSeconds: TimeInterval = 120
    /// The length of a wave file's header: a file that is no longer has no sound.
    private static let headerByteCount = 44

    /// Writes the sound of `text` to a wave file. It blocks: call it on a thread of its own.
    /// - Parameter path: the wave file's path; the text is written beside it and removed again.
    /// - Throws: ``MediaRefusal`` when espeak-ng is missing, does not end in time, or does not know the voice;
    ///   `CocoaError` when the text cannot be written.
    static func write(_ text: SpokenText, to path: String) throws {
        let words = path + ".txt"
        defer { try? FileManager.default.removeItem(atPath: words) }
        try Data((text.text + "\n").utf8).write(to: URL(fileURLWithPath: words))
        guard let program = program() else {
            let advice = "install it (Debian: apt install espeak-ng) or use a sound file"
            throw MediaRefusal("speech needs the program espeak-ng, which is not there; \(advice)")
        }
        let status = try run(program, text.arguments(to: path), input: words)
        // An unknown voice shows in the exit code only, or in a file that is nothing but a header.
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard status == 0, size > headerByteCount else {
            let advice = "\"espeak-ng --voices\" lists those it has"
            throw MediaRefusal("espeak-ng cannot speak this with the voice \"\(text.voice)\"; \(advice)")
        }
    }

    /// - Returns: the exit status.
    private static func run(_ program: String, _ arguments: [String], input: String) throws(MediaRefusal) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { throw MediaRefusal("\(program) cannot be started") }
        guard ended.wait(timeout: .now() + timeoutSeconds) == .success else {
            process.terminate()
            throw MediaRefusal("\(program) did not end within \(Int(timeoutSeconds)) s")
        }
        return process.terminationStatus
    }

    private static func program() -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let own = environment[variable] { return FileManager.default.isExecutableFile(atPath: own) ? own : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { $0 + "/espeak-ng" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
