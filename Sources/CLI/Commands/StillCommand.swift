import ArgumentParser
import CompositionModel
import Foundation
import Planning
import Storage
import Timing
import WireProtocol

struct StillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "still",
        abstract: "Save frames of an edit or a media file as PNG or JPEG, exact to the frame.",
        discussion: """
              cutfarm still edit.json --at 10s 00:00:12:03 -o frames/
              cutfarm still movie.mp4 --every 5s -o still-%06d.jpg
              cutfarm still movie.mp4 --sheet 5x4 --max-size 320x180 -o sheet.png
              cutfarm still edit.json --every 1s -o frames/ --coordinator http://farm:7411

            A time shows the frame that is on screen then, of a media file its own frame; #120 is frame 120, counted from \
            0. With --tolerance the nearest keyframe within it is taken \
            where one clip fills the frame, which is much faster in long groups of pictures. Each time is reported by \
            itself; one that cannot be had keeps no other from being made. With --coordinator a farm makes them: the same \
            bytes.
            """
    )

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Times from the start, or frames as #120.", valueName: "time")
    )
    var at: [String] = []

    @Option(help: ArgumentHelp("A still every so often from the start.", valueName: "duration"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "One image of so many frames, spread evenly unless times are given.",
            valueName: "columnsxrows"
        )
    )
    var sheet: String?

    @Option(
        help: ArgumentHelp("Make pictures (a sheet's cells) fit into this; never larger.", valueName: "widthxheight")
    )
    var maxSize: String?

    @Option(help: ArgumentHelp("Take a keyframe that is at most this far away.", valueName: "duration"))
    var tolerance: String?

    @Option(name: [.short, .customLong("output")], help: "A file, a folder, or a pattern such as still-%06d.png.")
    var output: String?

    @Option(help: ArgumentHelp("png or jpeg, where the name does not say it.", valueName: "format"))
    var format: String?

    @Flag(help: "Replace files that exist.")
    var force = false

    @Flag(help: "A JSON object for each time on standard output.")
    var json = false

    @OptionGroup var media: MediaOptions
    @OptionGroup var elsewhere: RenderLocationOptions

    func validate() throws {
        guard !at.isEmpty || every != nil || sheet != nil else {
            throw ValidationError("Say which frames: --at TIME…, --every DURATION or --sheet COLUMNSxROWS.")
        }
        guard at.isEmpty || every == nil else { throw ValidationError("--at and --every exclude each other.") }
    }

    func run() async throws {
        let names = try StillNames(output, input: media.input, format: format)
        let box = try maxSize.map { try Self.size($0, option: "--max-size") }
        let grid = try sheet.map { try Self.size($0, option: "--sheet") }
        let rendering = try await LocalRendering(media)
        let times = try rendering.stillTimes()
        for note in rendering.notes(isRead: false, isOnFarm: elsewhere.coordinator != nil) { Console.error(note) }
        var wanted = try every.map { try times.every($0) } ?? at.map(times.wanted)
        if let grid, wanted.isEmpty {
            wanted = times.spread(grid.width * grid.height).map { .init(text: "#\($0)", frame: .success($0)) }
        }
        let choice = try FrameChoice(rendering, times: times, tolerance: tolerance.map(times.distance))
        let items = wanted.map { StillRun.Item(text: $0.text, frame: $0.frame.map(choice.frame)) }
        let scratch = try ScratchFolder(below: FileManager.default.temporaryDirectory.path, named: "cutfarm-still-")
        defer { withExtendedLifetime(scratch) {} }
        if let grid {
            let sheet = StillSheet(
                rendering: rendering,
                grid: grid,
                cell: box ?? StillSheet.usualCell,
                format: names.format,
                scratch: scratch,
                farm: try elsewhere.stills(rendering, media.local)
            )
            try await make(sheet, items, names)
        } else {
            let run = StillRun(
                rendering: rendering,
                times: times,
                names: names,
                box: box,
                isForced: force,
                json: json,
                workers: elsewhere.processes,
                scratch: scratch,
                farm: try elsewhere.stills(rendering, media.local)
            )
            try await run.make(items)
        }
    }

    private func make(_ sheet: StillSheet, _ items: [StillRun.Item], _ names: StillNames) async throws {
        let shown: [Int64] = try items.map { item in
            switch item.frame {
            case .success(let frame): return frame
            case .failure(let refusal): throw CommandFailure(.usage, "\(item.text): \(refusal.sentence).")
            }
        }
        let grid = sheet.grid
        guard shown.count <= grid.width * grid.height else {
            throw CommandFailure(.usage, "\(shown.count) frames do not fit on a sheet of \(grid.width)x\(grid.height).")
        }
        let file = try OutputFile(path: try names.path(shown.first ?? 0, isOnly: true), isForced: force)
        try await sheet.make(shown, to: file)
        guard json else { return Console.print("\(shown.count) frames: \(file.path)") }
        try JSONOutput.print(MadeSheet(file: file.path, frames: shown))
    }

    private struct MadeSheet: Encodable {
        let file: String
        let frames: [Int64]
    }

    /// Reads the two sides of a size.
    /// - Throws: ``CommandFailure`` that names the option, for anything but two numbers from 1 to 16384.
    static func size(_ text: String, option: String) throws -> PictureSize {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...16384).contains(width),
            (1...16384).contains(height)
        else {
            throw CommandFailure(.usage, "\(option) \(text): write two numbers from 1 to 16384, such as 320x180.")
        }
        return PictureSize(width: width, height: height)
    }
}
