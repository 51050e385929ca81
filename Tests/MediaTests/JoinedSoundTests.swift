import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Media

/// Files of sound that were joined byte by byte, as `cat` does it.
@Suite struct JoinedSoundTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func probe(_ name: String) throws -> AudioStreamFacts {
        try #require(try AssetProbe.probe(FileByteSource(path: folder.path(name))).facts.defaultAudio)
    }

    private func read(_ name: String) throws -> (samples: [[Float]], damage: SoundDamage) {
        let stream = try probe(name)
        let reader = try SoundReader(source: FileByteSource(path: folder.path(name)), stream: stream)
        var samples = [[Float]](repeating: [], count: stream.channels)
        while let block = try reader.next() {
            #expect(block.start == Int64(samples[0].count))
            for channel in samples.indices { samples[channel] += block.channels[channel] }
        }
        #expect(Int64(samples[0].count) == stream.sampleCount)
        return (samples, reader.damage)
    }

    private func make(_ name: String, _ arguments: [String], seconds: Double, rate: Int = 48_000) async throws {
        let sound = "aevalsrc='0.4*sin(300*(\(seconds)+t)*t)|0.4*sin(2000*t)':s=\(rate):d=\(seconds)"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", sound] + arguments + [folder.path(name)])
    }

    private func join(_ names: [String], to name: String) throws {
        var bytes = Data()
        for name in names { bytes += try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) }
        try bytes.write(to: URL(fileURLWithPath: folder.path(name)))
    }

    /// A failing `#expect` would look for what differs in millions of samples.
    private func expectSame(_ found: [Float], _ wanted: [Float], _ location: SourceLocation = #_sourceLocation) {
        let isSame = found == wanted
        #expect(isSame, "\(found.count) samples for \(wanted.count)", sourceLocation: location)
    }

    private func size(_ name: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: folder.path(name))).count
    }

    // MARK: Ogg and FLAC

    @Test(arguments: [
        ["ogg", "-c:a", "libvorbis"], ["ogg", "-c:a", "libopus"], ["ogg", "-c:a", "flac"], ["flac", "-c:a", "flac"],
    ])
    func allFilesAreHeard(kind: [String]) async throws {
        let arguments = Array(kind.dropFirst())
        let (long, short, joined) = ("a.\(kind[0])", "b.\(kind[0])", "joined.\(kind[0])")
        try await make(long, arguments, seconds: 23.4)
        try await make(short, arguments, seconds: 1.7)
        try join([long, short, long], to: joined)
        let parts = [try read(long).samples, try read(short).samples, try read(long).samples]
        let whole = try read(joined)
        for channel in 0..<2 { expectSame(whole.samples[channel], parts.flatMap { $0[channel] }) }
        #expect(whole.damage.isEmpty)
        let stream = try probe(joined)
        #expect(stream.flaws == nil)
        // Long enough to be read in pieces.
        #expect(stream.cells?.starts.count ?? 0 >= 4)
        try LongSound.expectTheSameFromEverywhere(whole.samples, folder.path(joined), stream, samples: 100_000)
    }

    @Test func twoCodecsOfOneFormatAreHeard() async throws {
        try await make("a.ogg", ["-c:a", "libvorbis"], seconds: 2)
        try await make("b.ogg", ["-c:a", "libopus"], seconds: 2)
        try join(["a.ogg", "b.ogg"], to: "joined.ogg")
        let whole = try read("joined.ogg").samples
        expectSame(whole[0], try read("a.ogg").samples[0] + read("b.ogg").samples[0])
    }

    @Test(arguments: ["ogg", "flac"]) func anotherFormatIsRefused(file: String) async throws {
        let codec = file == "ogg" ? "libvorbis" : "flac"
        try await make("a.\(file)", ["-c:a", codec], seconds: 2)
        try await make("b.\(file)", ["-c:a", codec], seconds: 2, rate: 44_100)
        try join(["a.\(file)", "b.\(file)"], to: "joined.\(file)")
        let error = #expect(throws: MediaError.self) { try probe("joined.\(file)") }
        let text = try #require(error?.failure.message)
        #expect(text.contains("changes from stereo at 48000 Hz to stereo at 44100 Hz at 2 s"), "\(text)")
        #expect(text.contains("split it at byte \(try size("a.\(file)"))"), "\(text)")
    }

    /// What begins like a file and cannot be read is told; what follows is heard.
    @Test func aPartThatCannotBeReadIsTold() async throws {
        try await make("a.flac", ["-c:a", "flac"], seconds: 2)
        let wrong = Array("fLaC".utf8) + [0, 0, 0, 34] + [UInt8](repeating: 0, count: 5000)
        try Data(wrong).write(to: URL(fileURLWithPath: folder.path("wrong.flac")))
        try join(["a.flac", "wrong.flac", "a.flac"], to: "joined.flac")
        let stream = try probe("joined.flac")
        #expect(stream.flaws?.unheard == 96_000)
        #expect(
            stream.flawWords?.contains("belongs at 2 s cannot be read or placed") == true,
            "\(stream.flawWords ?? "")"
        )
        let sound = try read("a.flac").samples[0]
        expectSame(try read("joined.flac").samples[0], sound + sound)
    }

    /// A wrong bit that says that a stream begins makes no file.
    @Test func aDamagedPageIsNoFile() async throws {
        try await make("a.ogg", ["-c:a", "libvorbis"], seconds: 6)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.ogg"))))
        let pages = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("OggS".utf8) }
        bytes[pages[3] + 5] |= 2
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("damaged.ogg")))
        let pieces = try JoinedFiles(FileByteSource(path: folder.path("damaged.ogg"))).pieces()
        #expect(pieces == [JoinedFiles.Piece(bytes: 0..<Int64(bytes.count))])
    }

    /// Frames that are numbered from 0 again, without a header between them, cannot be placed.
    @Test func whatCannotBePlacedIsTold() async throws {
        try await make("a.flac", ["-c:a", "flac"], seconds: 4)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.flac"))))
        var (place, isLast) = (4, false)
        while !isLast {
            isLast = bytes[place] & 0x80 != 0
            place += 4 + bytes[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        try Data(bytes + bytes[place...]).write(to: URL(fileURLWithPath: folder.path("twice.flac")))
        let stream = try probe("twice.flac")
        #expect(stream.sampleCount == 192_000)
        // libavformat loses a frame there.
        let told = try #require(stream.flaws?.unheard)
        #expect(192_000 - 4608...192_000 ~= told)
        let words = stream.flawWords ?? ""
        #expect(words.contains("cannot be read or placed, and is not heard"), "\(words)")
    }

    // MARK: WavPack

    @Test func allWavPackFilesAreHeard() async throws {
        try await make("a.wv", ["-c:a", "wavpack"], seconds: 3)
        try await make("b.wv", ["-c:a", "wavpack"], seconds: 1.3)
        try join(["a.wv", "b.wv", "a.wv"], to: "joined.wv")
        let (first, second) = (try read("a.wv").samples[0], try read("b.wv").samples[0])
        let (whole, damage) = try read("joined.wv")
        expectSame(whole[0], first + second + first)
        #expect(damage.isEmpty)
        #expect(try probe("joined.wv").flaws == nil)
        #expect(try probe("a.wv").parts == nil)
    }

    /// Wherever it is cut, its whole blocks are heard, and the header says what is missing.
    @Test(arguments: [30, 60, 99]) func aWavPackFileThatIsCutIsHeardUpToThere(percent: Int) async throws {
        try await make("a.wv", ["-c:a", "wavpack"], seconds: 5)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wv")))
        try bytes.prefix(bytes.count * percent / 100).write(to: URL(fileURLWithPath: folder.path("cut.wv")))
        let (whole, cut) = (try read("a.wv").samples[0], try read("cut.wv").samples[0])
        #expect(cut.count > whole.count * (percent - 15) / 100)
        expectSame(cut, Array(whole.prefix(cut.count)))
        let stream = try probe("cut.wv")
        #expect(stream.flaws?.promised == 240_000)
        #expect(stream.flawWords?.contains("its header promises 5 s") == true)
    }

    /// Only its tag is cut: nothing is missing.
    @Test func aWavPackFileWithHalfATagIsWhole() async throws {
        try await make("a.wv", ["-c:a", "wavpack"], seconds: 2)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wv")))
        try bytes.dropLast(20).write(to: URL(fileURLWithPath: folder.path("cut.wv")))
        expectSame(try read("cut.wv").samples[0], try read("a.wv").samples[0])
        #expect(try probe("cut.wv").flaws == nil)
    }

    @Test func aWavPackFileCutInItsFirstBlockIsRefused() async throws {
        try await make("a.wv", ["-c:a", "wavpack"], seconds: 2)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wv")))
        try bytes.prefix(3000).write(to: URL(fileURLWithPath: folder.path("cut.wv")))
        let error = #expect(throws: MediaError.self) { try probe("cut.wv") }
        #expect(error?.failure.code == "asset_truncated")
        #expect(error?.failure.message.contains("ends inside its first block; copy or record it again") == true)
    }

    /// A block whose header is damaged is a hole; what follows stays where it was.
    @Test func aLostBlockOfWavPackIsSilence() async throws {
        try await make("a.wv", ["-c:a", "wavpack"], seconds: 5)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wv"))))
        let blocks = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("wvpk".utf8) }
        bytes[blocks[3]] = 0
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("damaged.wv")))
        var wanted = try read("a.wv").samples[0]
        for sample in 72_000..<96_000 { wanted[sample] = 0 }
        let (found, damage) = try read("damaged.wv")
        expectSame(found[0], wanted)
        #expect(damage.ranges == [72_000..<96_000])
        let flaws = try probe("damaged.wv").flaws
        #expect(flaws?.unheard == 72_000 && flaws?.promised == nil)
    }

    @Test func aTableOfWrongPartsIsNamed() async throws {
        try await make("a.flac", ["-c:a", "flac"], seconds: 1)
        try join(["a.flac", "a.flac"], to: "joined.flac")
        var stream = try probe("joined.flac")
        stream.parts?[1].start -= 1
        let error = #expect(throws: MediaError.self) {
            try SoundReader(source: FileByteSource(path: folder.path("joined.flac")), stream: stream)
        }
        #expect(error?.failure.code == MediaError.invalidIndex("").failure.code)
    }
}
