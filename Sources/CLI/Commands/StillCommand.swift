import ArgumentParser
import Foundation
import Timing
import CompositionModel
import Planning
import WireProtocol
import Storage
import Synchronization

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

    @OptionGroup var media: MediaInput
    @OptionGroup var elsewhere: ElsewhereOptions

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
        let pictures = try await LocalPictures(media)
        let times = try pictures.times()
        for note in pictures.notes(isRead: false, isOnFarm: elsewhere.coordinator != nil) { Console.error(note) }
        var wanted = try every.map { try times.every($0) } ?? at.map(times.wanted)
        if let grid, wanted.isEmpty {
            wanted = times.spread(grid.width * grid.height).map { .init(text: "#\($0)", frame: .success($0)) }
        }
        let choice = try FrameChoice(pictures, times: times, tolerance: tolerance.map(times.distance))
        let frames = wanted.map { $0.frame.map(choice.frame) }
        let scratch = try ScratchFolder(below: FileManager.default.temporaryDirectory.path, named: "cutfarm-still-")
        defer { withExtendedLifetime(scratch) {} }
        if let grid {
            try await makeSheet(grid, frames, pictures, names, cell: box, in: scratch, wanted)
        } else {
            let run = StillRun(
                pictures: pictures,
                times: times,
                names: names,
                box: box,
                isForced: force,
                json: json,
                workers: elsewhere.processes,
                scratch: scratch,
                farm: try elsewhere.stills(pictures, media.local)
            )
            try await run.make(zip(wanted, frames).map { StillRun.Item(text: $0.text, frame: $1) })
        }
    }

    private func makeSheet(
        _ grid: PictureSize,
        _ frames: [Result<Int64, StillTimes.Refusal>],
        _ pictures: LocalPictures,
        _ names: StillNames,
        cell: PictureSize?,
        in scratch: ScratchFolder,
        _ wanted: [StillTimes.Wanted]
    ) async throws {
        let shown: [Int64] = try zip(wanted, frames).map { wanted, frame in
            switch frame {
            case .success(let frame): return frame
            case .failure(let refusal): throw CommandFailure(.usage, "\(wanted.text): \(refusal.sentence).")
            }
        }
        guard shown.count <= grid.width * grid.height else {
            throw CommandFailure(.usage, "\(shown.count) frames do not fit on a sheet of \(grid.width)x\(grid.height).")
        }
        let file = try OutputFile(path: try names.path(shown.first ?? 0, isOnly: true), isForced: force)
        let task = try pictures.picture(showing: shown)
        if let farm = try elsewhere.stills(pictures, media.local) {
            let order = StillsOrder(
                frames: shown,
                format: names.format,
                box: cell ?? Self.usualCell,
                sheet: SheetGrid(columns: grid.width, rows: grid.height)
            )
            try await Interruptible.run { try await farm.makeSheet(order, to: file) }
            return try tell(shown, file)
        }
        let (sources, readable) = try await pictures.sources(task.assets, scratch: scratch.path)
        let made = scratch.file("sheet")
        let request = SheetRequest(
            task: task,
            sources: sources,
            frames: shown,
            columns: grid.width,
            rows: grid.height,
            cell: cell ?? Self.usualCell,
            format: names.format,
            output: made
        )
        try await Interruptible.run {
            try await pictures.run(.sheet(request), readable: readable, writable: [scratch.path])
            try await file.deliver { sink in try Data(contentsOf: URL(fileURLWithPath: made)).withUnsafeBytes(sink) }
        }
        try tell(shown, file)
    }

    private func tell(_ shown: [Int64], _ file: OutputFile) throws {
        guard json else { return Console.print("\(shown.count) frames: \(file.path)") }
        try JSONOutput.print(MadeSheet(file: file.path, frames: shown))
    }

    private static let usualCell = PictureSize(width: 320, height: 320)

    private struct MadeSheet: Encodable {
        let file: String
        let frames: [Int64]
    }

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

/// The frame that is made for the one that was asked for.
private struct FrameChoice {
    private let keyframes: NearKeyframes?
    private let distance: Int64
    private let ofFile: (stream: VideoStreamFacts, seconds: RationalTime)?

    /// - Parameter tolerance: seconds.
    init(_ pictures: LocalPictures, times: StillTimes, tolerance: RationalTime?) throws {
        let stream = pictures.footage?.stream
        ofFile = tolerance.flatMap { seconds in stream.map { ($0, seconds) } }
        distance = try tolerance.map { try times.rate.frame(at: $0, rounding: .down).value } ?? 0
        do {
            keyframes =
                try tolerance == nil || stream != nil
                ? nil : NearKeyframes(pictures.compiled.composition, facts: pictures.compiled.facts)
        } catch {
            throw CommandFailure(error.failure)
        }
    }

    func frame(_ wanted: Int64) -> Int64 {
        if let (stream, seconds) = ofFile { return stream.keyframe(near: wanted, within: seconds) ?? wanted }
        return keyframes?.nearest(to: wanted, within: distance) ?? wanted
    }
}
