import ArgumentParser
import CompositionModel
import Foundation
import Planning
import Storage

struct WaveformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform",
        abstract: "Draw the sound of an edit or a media file, or write its peaks as numbers.",
        discussion: """
              cutfarm waveform edit.json -o mix.png --size 1800x280
              cutfarm waveform movie.mp4 --range 10s 5s --channels mixed -o part.svg
              cutfarm waveform music.m4a --samples-per-pixel 512 -o music.json
              cutfarm waveform edit.json -o mix.svg --coordinator http://farm:7411

            Each column shows the lowest and the highest sample, and within them the root mean square, of what it stands \
            for. JSON is in the form of audiowaveform's (docs/waveform.md). With --coordinator a farm hears it in pieces: \
            the same bytes.
            """
    )

    @Option(name: [.short, .customLong("output")], help: "A file; - writes to standard output.")
    var output: String

    @Option(help: ArgumentHelp("png, svg or json, where the name does not say it; json for -.", valueName: "format"))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Of the image, 1800x280 when missing; up to 16384 a side, a PNG's shorter one 16128. JSON has as many columns.",
            valueName: "widthxheight"
        )
    )
    var size: String?

    @Option(help: ArgumentHelp("For each column: the waveform is as wide as it needs.", valueName: "samples"))
    var samplesPerPixel: Int64?

    @Option(help: ArgumentHelp("each has a lane of its own, or mixed.", valueName: "channels"))
    var channels = WaveformOrder.Channels.each.rawValue

    @Option(help: ArgumentHelp("Of peaks.", valueName: "#rrggbb"))
    var color = "#3d6fb4"

    @Option(help: ArgumentHelp("Of the root mean square.", valueName: "#rrggbb"))
    var averageColor = "#9fbfe6"

    @Option(help: ArgumentHelp("Of columns that are louder than full scale.", valueName: "#rrggbb"))
    var clipColor = "#ff0000"

    @Option(help: ArgumentHelp("Behind it.", valueName: "#rrggbb"))
    var background = "#ffffff"

    @Option(help: ArgumentHelp("Of JSON's numbers: 8, 16 or 24.", valueName: "bits"))
    var bits = 16

    @Flag(help: "Replace a file that exists.")
    var force = false

    @OptionGroup var part: MediaSpanOptions
    @OptionGroup var elsewhere: RenderLocationOptions

    func validate() throws {
        guard [8, 16, 24].contains(bits) else { throw ValidationError("--bits takes 8, 16 or 24.") }
        guard samplesPerPixel ?? 1 >= 1 else { throw ValidationError("--samples-per-pixel takes a number from 1.") }
    }

    func run() async throws {
        let order = try order()
        let file = output == "-" ? nil : try OutputFile(path: output, isForced: force)
        let rendering = try await part.rendering(.sound)
        let task = try rendering.sound()
        for note in rendering.soundNotes { Console.error(note) }
        try check(order, task)
        let folder = try ScratchFolder(below: FileManager.default.temporaryDirectory.path, named: "cutfarm-waveform-")
        defer { withExtendedLifetime(folder) {} }
        let made = folder.file("waveform")
        let measurement = SoundMeasurement(
            rendering: rendering,
            farm: try elsewhere.measures(rendering, part.media.local),
            workers: elsewhere.processes,
            folder: folder.path
        )
        try await Interruptible.run {
            try await measurement.waveform(of: task, as: order, to: made)
            let data = try Data(contentsOf: URL(fileURLWithPath: made))
            guard let file else {
                let code = data.withUnsafeBytes { $0.writeAll(to: STDOUT_FILENO) }
                guard code == 0 else {
                    let reason = String(cString: strerror(code))
                    throw CommandFailure(.usage, "Standard output cannot be written: \(reason).")
                }
                return
            }
            try await file.deliver { sink in try data.withUnsafeBytes(sink) }
        }
    }

    private func order() throws -> WaveformOrder {
        let word = format ?? (output == "-" ? "json" : (output as NSString).pathExtension.lowercased())
        guard let format = WaveformOrder.Format(rawValue: word) else {
            throw CommandFailure(.usage, "“\(word)” cannot be written; a waveform is png, svg or json.")
        }
        guard let lanes = WaveformOrder.Channels(rawValue: channels) else {
            throw CommandFailure(.usage, "--channels \(channels): write each or mixed.")
        }
        let colors = [
            ("color", color), ("average-color", averageColor), ("clip-color", clipColor), ("background", background),
        ]
        for (option, color) in colors {
            guard WaveformColors.bytes(color) != nil else {
                throw CommandFailure(.usage, "--\(option) \(color): write a colour such as #3d6fb4.")
            }
        }
        let size = try size.map { try StillCommand.size($0, option: "--size") } ?? PictureSize(width: 1800, height: 280)
        return WaveformOrder(
            format: format,
            grid: samplesPerPixel.map { .every(samples: $0) } ?? .evenly(columns: size.width),
            height: size.height,
            channels: lanes,
            colors: WaveformColors(background: background, peak: color, average: averageColor, over: clipColor),
            bits: bits
        )
    }

    /// Refuses an order that the render child would refuse, in the words of the options.
    private func check(_ order: WaveformOrder, _ task: SoundTask) throws {
        let lanes = order.channels == .mixed ? 1 : task.channels
        guard order.height >= lanes else {
            throw CommandFailure(.usage, "--size: \(lanes) channels need as many rows, and there is \(order.height).")
        }
        let columns = order.grid.columnCount(of: task.sampleCount)
        let most = order.format == .json ? Int(WaveformOrder.mostColumns) / lanes : WaveformOrder.longestSide
        guard columns <= most else {
            let least = (task.sampleCount + Int64(most) - 1) / Int64(most)
            throw CommandFailure(
                .usage,
                "--samples-per-pixel makes \(columns) columns, and there are at most \(most); write \(least) or more."
            )
        }
        let size = PictureSize(width: columns, height: order.height)
        guard order.format != .png || WaveformOrder.canPaint(size) else {
            let advice = "make a side 16128 or less, or write SVG"
            throw CommandFailure(.usage, "A PNG of \(size.width)x\(size.height) is larger than can be made; \(advice).")
        }
    }
}
