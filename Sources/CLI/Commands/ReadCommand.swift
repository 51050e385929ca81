import ArgumentParser
import Foundation
import Sandbox
import Shared
import Storage

struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Hand exact frames (Y4M) or samples (WAV) of an edit or a media file to another program.",
        discussion: """
              cutfarm read edit.json --range 10s 5s -o - | ffplay -
              cutfarm read edit.json --format wav -o mix.wav
              cutfarm read edit.json -o - | x265 --y4m - -o edit.265

            Y4M has the composited frames in 4:2:0, WAV the mix in 24 bits: both as they are before any encoder. Of a media \
            file every frame is handed out; where its rate varies, standard error says at which rate, and what is lost. \
            When the reader of standard output goes away it ends quietly with 141.
            """
    )

    @Argument(help: "An edit, a composition, or a media file.")
    var input: String

    @Option(
        name: [.short, .customLong("output")],
        help: "A file; - is standard output; a device or named pipe is written straight to."
    )
    var output: String

    @Option(help: ArgumentHelp("y4m or wav, where the name does not say it; y4m for -.", valueName: "format"))
    var format: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only this span of the timeline.", valueName: "start duration")
    )
    var range: [String] = []

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    @Flag(help: "Replace a file that exists.")
    var force = false

    @OptionGroup var local: LocalMediaOptions

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the input.")
        }
    }

    func run() async throws {
        let isSound = try isSound()
        let stream = stream
        let file = output == "-" || stream != nil ? nil : try OutputFile(path: output, isForced: force)
        let pictures = try await LocalPictures(input, assets: asset, parameters: param, range: range, local: local)
        for note in pictures.notes(isRead: !isSound) { Console.error(note) }
        let folder = try ScratchFolder(below: FileManager.default.temporaryDirectory.path, named: "cutfarm-read-")
        defer { withExtendedLifetime(folder) {} }
        let content = try content(pictures, isSound: isSound, scratch: folder.path)
        let (sources, readable) = try await pictures.sources(content.assets, scratch: folder.path)
        if let stream {
            let request = RawRequest(content: content, sources: sources, output: stream)
            return try await Interruptible.run { [scratch = folder.path] in
                try await pictures.run(.raw(request), readable: readable, writable: [scratch, stream])
            }
        }
        let relay = try PipeRelay(path: folder.file("pipe"))
        let request = RawRequest(content: content, sources: sources, output: relay.path)
        try await Interruptible.run { [scratch = folder.path] in
            let pass: @Sendable (@escaping @Sendable () throws -> Void) async throws -> Void = { drain in
                async let drained: Void = OwnThread.run(drain)
                var failure: (any Error)?
                do {
                    try await pictures.run(.raw(request), readable: readable, writable: [scratch])
                } catch {
                    failure = error
                }
                relay.end()
                // When the reader is gone, that is the cause, and the writer's failure follows from it.
                try await drained
                if let failure { throw failure }
            }
            guard let file else {
                return try await pass { try relay.drain(to: STDOUT_FILENO, failing: Self.outputFailure) }
            }
            try await file.deliver { sink in try await pass { try relay.drain(sink) } }
        }
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
        let word = format ?? (output == "-" || stream != nil ? "y4m" : (output as NSString).pathExtension.lowercased())
        switch word {
        case "y4m": return false
        case "wav", "rf64": return true
        default:
            throw CommandFailure(.usage, "“\(word)” cannot be written; there are y4m for frames and wav for samples.")
        }
    }

    private func content(_ pictures: LocalPictures, isSound: Bool, scratch: String) throws -> RawRequest.Content {
        guard isSound else { return .picture(try pictures.picture()) }
        guard let sound = pictures.plan.sound else {
            throw CommandFailure(.usage, "There is no sound in \(input), so it has no samples.")
        }
        return .sound(sound, scratchFolder: scratch)
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

extension RawRequest.Content {
    fileprivate var assets: [ContentDigest] {
        switch self {
        case .picture(let task): task.assets
        case .sound(let task, _): task.assets
        }
    }
}
