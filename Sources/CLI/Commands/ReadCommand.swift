import ArgumentParser
import Foundation
import Planning
import Storage
import Threads
import WireProtocol

struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Hand exact frames (Y4M) or samples (WAV) of an edit or a media file to another program.",
        discussion: """
              cutfarm read edit.json --range 10s 5s -o - | ffplay -
              cutfarm read edit.json --format wav -o mix.wav
              cutfarm read edit.json -o - | x265 --y4m - -o edit.265

            Y4M has the composited frames in 4:2:0, WAV the mix in 24 bits: both as they are before any encoder. Of a media \
            file every frame is handed out; where its rate varies, standard error says at which rate, and what is lost. Of \
            its sound --track says which, where there are several. \
            When the reader of standard output goes away it ends quietly with 141.
            """
    )

    @Option(
        name: [.short, .customLong("output")],
        help: "A file; - is standard output; a device or named pipe is written straight to."
    )
    var output: String

    @Option(help: ArgumentHelp("y4m or wav, where the name does not say it; y4m for -.", valueName: "format"))
    var format: String?

    @Flag(help: "Replace a file that exists.")
    var force = false

    @OptionGroup var part: MediaSpanOptions

    func run() async throws {
        let isSound = try isSound()
        let stream = stream
        let file = output == "-" || stream != nil ? nil : try OutputFile(path: output, isForced: force)
        let rendering = try await part.rendering(isSound ? .samples : .frames)
        let isFile = rendering.footage != nil
        for note in isSound && isFile ? rendering.soundNotes : rendering.notes(isRead: !isSound) { Console.error(note) }
        let assets = try isSound ? rendering.sound().assets : rendering.picture().assets
        try await rendering.withFiles(of: assets, for: "read") { files in
            let content: RawRequest.Content =
                try isSound
                ? .sound(rendering.sound(), scratchFolder: files.folder.path) : .picture(rendering.picture())
            if let stream {
                let request = RawRequest(content: content, sources: files.sources.files, output: stream)
                try await Interruptible.run { _ = try await files.run(.raw(request), writing: stream) }
            } else {
                let relay = try PipeRelay(path: files.folder.file("pipe"))
                let request = RawRequest(content: content, sources: files.sources.files, output: relay.path)
                try await Interruptible.run { try await Self.hand(request, files, through: relay, to: file) }
            }
        }
    }

    /// Hands the frames or samples to the output while they are made.
    /// - Parameter file: The output file; nil is standard output.
    private static func hand(
        _ request: RawRequest,
        _ files: LocalFiles,
        through relay: PipeRelay,
        to file: OutputFile?
    ) async throws {
        let pass: @Sendable (@escaping @Sendable () throws -> Void) async throws -> Void = { drain in
            async let drained: Void = DedicatedThread.run(drain)
            var failure: (any Error)?
            do {
                try await files.run(.raw(request))
            } catch {
                failure = error
            }
            relay.end()
            // A reader that is gone is the cause, and the writer's failure only follows from it.
            try await drained
            if let failure { throw failure }
        }
        guard let file else {
            return try await pass { try relay.drain(to: STDOUT_FILENO, failing: outputFailure) }
        }
        try await file.deliver { sink in try await pass { try relay.drain(sink) } }
    }

    /// The path of an existing device or named pipe, which no file replaces; nil for other outputs.
    private var stream: String? {
        var about = stat()
        guard output != "-", let real = realpath(output, nil) else { return nil }
        defer { free(real) }
        guard stat(real, &about) == 0, [S_IFCHR, S_IFIFO].contains(about.st_mode & S_IFMT) else { return nil }
        return String(cString: real)
    }

    private func isSound() throws -> Bool {
        guard format != nil || !isFolder else {
            throw CommandFailure(.usage, "-o \(output) is a folder; name a file in it that ends in .y4m or .wav.")
        }
        let word = format ?? (output == "-" || stream != nil ? "y4m" : (output as NSString).pathExtension.lowercased())
        switch word {
        case "y4m": return false
        case "wav", "rf64": return true
        default:
            let what = word.isEmpty ? "-o \(output) has no ending" : "“\(word)” cannot be written"
            throw CommandFailure(.usage, "\(what); there are y4m for frames and wav for samples.")
        }
    }

    private var isFolder: Bool {
        var about = stat()
        return output != "-" && stat(output, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }

    private static func outputFailure(_ code: Int32) -> CommandFailure {
        code == EPIPE
            ? CommandFailure(.readerGone, lines: [])
            : CommandFailure(
                code == ENOSPC ? .noSpace : .usage,
                "Standard output cannot be written: \(String(cString: strerror(code)))."
            )
    }
}
