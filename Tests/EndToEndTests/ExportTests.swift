import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

/// `cutfarm export` of one file: the pictures and samples of exactly the part that it says, by ffmpeg's decode of the
/// source.
@Suite struct ExportTests {
    private let cutfarm: Cutfarm

    init() throws { cutfarm = try Cutfarm() }

    /// A seeded place for each kind, so that cuts lie anywhere in groups of pictures and packets.
    private static func ranges(_ kind: ExportKind) -> [(start: Int, length: Int)] {
        var random = SplitMix(seed: UInt64(kind.file.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF))
        let milliseconds = (Int(kind.seconds) ?? 6) * 1000
        return (0..<3).map { _ in
            let start = Int(random.next() % UInt64(milliseconds * 2 / 3))
            return (start, 200 + Int(random.next() % UInt64(milliseconds / 4)))
        }
    }

    /// The numbers of the source's pictures that a report says are there.
    private func frames(_ report: ExportReport, _ times: [Double]) throws -> Range<Int> {
        let start = report.range.start.approximateSeconds + times[0]
        let count = try Int(#require(report.frameCount))
        let first = try #require(times.indices.min { abs(times[$0] - start) < abs(times[$1] - start) })
        return first..<first + count
    }

    private func judge(
        _ file: ExportedFile,
        _ report: ExportReport,
        against source: ExportedFile,
        kind: ExportKind,
        isSampleExact: Bool
    ) async throws {
        let what = "\(kind) \((file.path as NSString).pathExtension) \(report.range)"
        let times = try await source.pictureTimes()
        let range = try frames(report, times)
        let all = try await source.pictures()
        #expect(range.upperBound <= all.count, "\(what)")
        #expect(try await file.pictures() == Array(all[range]), "\(what)")
        if kind.file != "mpeg.ts" { #expect(try await file.complaints() == "", "\(what)") }
        let shown = try await file.pictureTimes()
        for (place, number) in range.enumerated() {
            let wanted = times[number] - times[range.lowerBound]
            let found = shown[place] - shown[0]
            #expect(abs(wanted - found) < 0.0021, "\(what): picture \(place)")
        }
        guard kind.sound != nil, isSampleExact else { return }
        let sound = try await source.samples()
        let heard = try await file.samples()
        let first = try await soundOffset(source, times) + report.range.start.approximateSeconds * 48_000
        let start = Int(first.rounded())
        let count = Int((report.range.duration.approximateSeconds * 48_000).rounded())
        let wanted = Array(sound[(2 * start)..<min(sound.count, 2 * (start + count))])
        let found = Array(heard.prefix(wanted.count))
        #expect(found.count == wanted.count, "\(what)")
        let worst = zip(found, wanted).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 1, "\(what): off by \(worst)")
    }

    /// Samples from the first one that ffmpeg decodes to the first picture.
    private func soundOffset(_ source: ExportedFile, _ times: [Double]) async throws -> Double {
        let lines = try await source.probed("frame=pts_time", ["-select_streams", "a:0", "-read_intervals", "%+#5"])
        let first = try #require(lines.first.flatMap { Double($0.replacing("pts_time=", with: "")) })
        return ((times[0] - first) * 48_000).rounded()
    }

    @Test(arguments: ExportKind.all) func exactRangesHaveExactlyTheirFramesAndSamples(kind: ExportKind) async throws {
        let source = ExportedFile(path: try await kind.make(in: cutfarm.folder))
        for range in Self.ranges(kind) {
            let options = ["--range", "\(range.start)ms", "\(range.length)ms", "--exact"]
            let (file, report) = try await cutfarm.export([source.path] + options, to: "out." + kind.targets[0])
            #expect(report.notes.isEmpty)
            #expect(abs(report.range.start.approximateSeconds - Double(range.start) / 1000) < 0.12)
            try await judge(file, report, against: source, kind: kind, isSampleExact: true)
        }
    }

    @Test(arguments: ExportKind.all) func rangesGrowToWhereCutsAreAllowed(kind: ExportKind) async throws {
        let source = ExportedFile(path: try await kind.make(in: cutfarm.folder))
        for (range, target) in zip(Self.ranges(kind), kind.targets) {
            let options = ["--range", "\(range.start)ms", "\(range.length)ms"]
            let (file, report) = try await cutfarm.export([source.path] + options, to: "out." + target)
            let start = report.range.start.approximateSeconds
            let end = start + report.range.duration.approximateSeconds
            #expect(
                start < Double(range.start) / 1000 + 0.021 && end > Double(range.start + range.length) / 1000 - 0.021
            )
            let hasEditList = ["mp4", "mov"].contains(target)
            try await judge(file, report, against: source, kind: kind, isSampleExact: hasEditList)
        }
    }

    @Test(arguments: ExportKind.all) func wholeFilesChangeTheirContainer(kind: ExportKind) async throws {
        let source = ExportedFile(path: try await kind.make(in: cutfarm.folder))
        let pictures = try await source.pictures()
        for target in kind.targets {
            let (file, report) = try await cutfarm.export([source.path], to: "out." + target)
            #expect(report.notes.isEmpty && report.frameCount.map(Int.init) == pictures.count)
            #expect(try await file.pictures() == pictures, "\(kind) \(target)")
            // And back again.
            let back = try await cutfarm.export([file.path], to: "back." + kind.targets[0])
            #expect(try await back.file.pictures() == pictures, "\(kind) \(target)")
            guard kind.sound != nil else { continue }
            try await checkSync(source, file, "\(kind) \(target)")
            try await checkSync(source, back.file, "\(kind) \(target) and back")
        }
    }

    /// The sound of an export is beside the same pictures as before: its strongest match is within a packet, and where the
    /// times of both say it is.
    private func checkSync(_ source: ExportedFile, _ file: ExportedFile, _ what: String) async throws {
        let (one, two) = (try await source.samples(), try await file.samples())
        let moved = try await soundOffset(file, file.pictureTimes()) - soundOffset(source, source.pictureTimes())
        let (first, second) = (
            one.enumerated().filter { $0.offset % 2 == 0 }.map { Int($0.element) },
            two.enumerated().filter { $0.offset % 2 == 0 }.map { Int($0.element) }
        )
        let place = 40_000
        let length = 2_000
        guard first.count > place + length, second.count > place + length + 5_000 else { return }
        func distance(_ shift: Int) -> Int {
            (0..<length).reduce(0) { $0 + abs(first[place + $1] - second[place + $1 + shift]) }
        }
        let near = Int(moved)
        let best = try #require((near - 300..<near + 300).map { ($0, distance($0)) }.min { $0.1 < $1.1 }).0
        // Matroska counts milliseconds, MPEG-TS ninety thousandths of a second.
        #expect(abs(Double(best) - moved) <= 100, "\(what): \(best) and not \(moved) samples")
    }

    @Test func exportsAreExportedAgain() async throws {
        let source = ExportedFile(path: try await ExportKind.all[0].make(in: cutfarm.folder))
        let options = ["--range", "1.5s", "3s", "--exact"]
        let (once, _) = try await cutfarm.export([source.path] + options, to: "once.mp4")
        let (twice, report) = try await cutfarm.export([once.path], to: "twice.mov")
        #expect(report.frameCount == 75)
        #expect(try await twice.pictures() == once.pictures())
        // What the edit list hides would come to light in a container without one.
        let outcome = try await cutfarm.run(["export", once.path, "-o", cutfarm.folder.path("x.mkv")])
        #expect(outcome.exitCode == 2 && outcome.errors.contains("edit list hides"), "\(outcome.errors)")
    }

    @Test func aWrappedClockIsCut() async throws {
        let plain = try await ExportKind.all[3].make(in: cutfarm.folder)
        let path = cutfarm.folder.path("wrap.ts")
        // 2^33 ticks of 90 kHz are 95,443.7 s: the clock wraps after two seconds.
        try await Shell.ffmpeg(["-i", plain, "-c", "copy", "-output_ts_offset", "95440.3", path])
        let source = ExportedFile(path: path)
        let (file, report) = try await cutfarm.export([path, "--range", "1s", "3s", "--exact"], to: "out.mp4")
        #expect(report.frameCount == 75)
        let all = try await ExportedFile(path: plain).pictures()
        #expect(try await file.pictures() == Array(all[25..<100]))
        #expect(try await cutfarm.export([source.path], to: "all.mp4").file.pictures() == all)
    }

    @Test func oneFrame() async throws {
        let source = ExportedFile(path: try await ExportKind.all[0].make(in: cutfarm.folder))
        let (file, report) = try await cutfarm.export([source.path, "--range", "33f", "1f", "--exact"], to: "one.mp4")
        #expect(report.frameCount == 1)
        #expect(try await file.pictures() == [source.pictures()[33]])
        let still = cutfarm.folder.path("still.mp4")
        try await Shell.ffmpeg(["-i", source.path, "-frames:v", "1", "-an", "-c:v", "libx264", still])
        let (again, _) = try await cutfarm.export([still], to: "still.mkv")
        #expect(try await again.pictures() == ExportedFile(path: still).pictures())
    }
}
