import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Media

/// A ``LongSound`` in which bytes are wrong at 45 % and at 85 % of the file.
struct DamagedSound: Sendable, CustomTestStringConvertible {
    var sound: LongSound
    /// Wrong bytes, one behind the other.
    var size: Int
    /// dBFS by which a cell may differ from the decode from the start.
    var decibels: Float?

    init(_ file: String, _ arguments: [String], size: Int = 60, decibels: Float? = nil) {
        sound = LongSound(file: file, arguments: arguments)
        (self.size, self.decibels) = (size, decibels)
    }

    var testDescription: String { sound.testDescription + " \(size)" }

    static let all: [DamagedSound] = [
        DamagedSound("a.flac", ["-c:a", "flac"]),
        DamagedSound("a.mkv", ["-c:a", "flac"], size: 8),
        DamagedSound("a.ogg", ["-c:a", "flac"]),
        DamagedSound("a.m4a", ["-c:a", "aac", "-aac_pns", "0"], decibels: -70),
        DamagedSound("a.aac", ["-c:a", "aac", "-aac_pns", "0"], decibels: -70),
        DamagedSound("a.aac", ["-c:a", "aac", "-aac_pns", "0"], size: 1500, decibels: -70),
        DamagedSound("a.ts", ["-c:a", "aac", "-aac_pns", "0"], size: 1500, decibels: -70),
        // Most of what is wrong in the middle of a packet of MP3 nobody can see.
        DamagedSound("a.mp3", ["-c:a", "libmp3lame", "-b:a", "128k"], size: 1500, decibels: -80),
        DamagedSound("a.mkv", ["-c:a", "libmp3lame", "-b:a", "128k"], size: 1500, decibels: -80),
        DamagedSound("a.ogg", ["-c:a", "libvorbis", "-q:a", "5"], decibels: -80),
        DamagedSound("a.opus", ["-c:a", "libopus", "-b:a", "96k"], decibels: -80),
        DamagedSound("a.ac3", ["-c:a", "ac3", "-b:a", "384k"], decibels: -30),
        DamagedSound("a.mp4", ["-c:a", "eac3", "-b:a", "384k"], decibels: -30),
        DamagedSound("a.wv", ["-c:a", "wavpack"]),
        DamagedSound("a.tta", ["-c:a", "tta"]),
    ]

    /// Where the bytes are wrong, in percent of the whole.
    static let places = [45, 85]

    func make(in folder: TemporaryFolder) async throws -> String {
        let path = try await sound.make(in: folder)
        try WrongBytes.write(size, at: DamagedSound.places, of: path)
        return path
    }
}

@Suite struct DamagedSoundTests {
    /// A page of Ogg that is not whole is passed over by the demuxer, with all that was in it.
    @Test(arguments: [["-c:a", "libvorbis"], ["-c:a", "libopus"]])
    func aTornContainerIsTold(codec: [String]) async throws {
        let folder = try TemporaryFolder()
        let path = try await LongSound(file: "a.ogg", arguments: codec).make(in: folder)
        func flaws() throws -> SoundFlaws? {
            try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio?.flaws
        }
        #expect(try flaws() == nil)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.removeSubrange(bytes.count / 2..<bytes.count / 2 + 3000)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try flaws()?.isTorn == true)
    }

    /// One wrong bit of a scale factor may decode to 100 dB above full scale.
    @Test func whatNoEncoderWasGivenIsSilent() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.aac")
        let noise = "anoisesrc=a=0.1:c=pink:r=48000:seed=3:d=2"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", noise, "-c:a", "aac", "-b:a", "96k", path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SeededGenerator(seed: 5)
        var silent = 0
        // Few wrong bits make a scale factor: after 60 files it goes on to the first.
        for trial in 0..<600 where trial < 60 || silent == 0 {
            var wrong = bytes
            for _ in 0..<6 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                wrong[place] = UInt8.random(in: 0...255, using: &random)
            }
            try wrong.write(to: URL(fileURLWithPath: path))
            let decoder = try SoundDecoder(FileByteSource(path: path), streamIndex: 0)
            while let frame = try decoder.next() {
                #expect(frame.channels.allSatisfy { $0.allSatisfy { $0.magnitude <= 10 } })
                if frame.isDamaged, frame.channels.allSatisfy({ $0.allSatisfy { $0 == 0 } }) { silent += 1 }
            }
        }
        // Noise is never silent by itself.
        #expect(silent > 0)
    }

    @Test(arguments: DamagedSound.all)
    func whereItIsDamagedIsKnown(damaged: DamagedSound) async throws {
        let folder = try TemporaryFolder()
        let path = try await damaged.make(in: folder)
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        let (whole, damage) = try read(path, stream)
        #expect(Int64(whole[0].count) == stream.sampleCount)
        let seconds = damage.ranges.map { Double($0.lowerBound) / 48_000 }
        #expect(seconds.count == 2)
        let places = DamagedSound.places.map { Double($0) * 0.253 }
        for (found, place) in zip(seconds, places) { #expect(abs(found - place) < 2.5) }
        #expect(damage.ranges.allSatisfy { $0.upperBound - $0.lowerBound < 5 * 48_000 })
        try LongSound.expectTheSameFromEverywhere(whole, path, stream, samples: 50_000)

        var plain = stream
        plain.cells = nil
        let (straight, same) = try read(path, plain)
        #expect(same == damage)
        compare(whole, straight, within: damaged.decibels)
    }

    private func compare(_ cells: [[Float]], _ straight: [[Float]], within decibels: Float?) {
        guard let decibels else { return #expect(cells == straight) }
        #expect(cells.map(\.count) == straight.map(\.count))
        var largest: Float = 0
        for (cell, line) in zip(cells[0], straight[0]) { largest = max(largest, abs(cell - line)) }
        #expect(20 * log10f(largest + 1e-9) <= decibels)
    }

    private func read(_ path: String, _ stream: AudioStreamFacts) throws -> ([[Float]], SoundDamage) {
        let reader = try SoundReader(source: FileByteSource(path: path), stream: stream)
        var channels = [[Float]](repeating: [], count: stream.channels)
        while let block = try reader.next() {
            for channel in channels.indices { channels[channel] += block.channels[channel] }
        }
        return (channels, reader.damage)
    }

    @Test(arguments: LongSound.all)
    func whatIsWholeHasNoDamage(sound: LongSound) async throws {
        let folder = try TemporaryFolder()
        let path = try await sound.make(in: folder)
        var stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect(stream.flaws == nil)
        #expect(try read(path, stream).1.isEmpty)
        stream.cells = nil
        #expect(try read(path, stream).1.isEmpty)
    }

    /// Cut in the middle without encoding: what a decoder would need of the packets before is not there.
    @Test(arguments: ["a.mp3", "a.m4a", "a.mkv", "a.ts", "a.aac", "a.ac3", "a.flac", "a.ogg", "a.opus"])
    func whatIsCutByCopyingHasNoDamage(file: String) async throws {
        let folder = try TemporaryFolder()
        let whole = folder.path("whole-" + file)
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "anoisesrc=d=9:r=48000:seed=3:a=0.3", "-ac", "2", whole])
        try await Shell.ffmpeg(["-ss", "4.321", "-i", whole, "-c", "copy", folder.path(file)])
        let stream = try #require(
            try AssetProbe.probe(FileByteSource(path: folder.path(file))).facts.defaultAudio
        )
        #expect(try read(folder.path(file), stream).1.isEmpty)
        #expect(stream.flaws == nil)
    }

    /// Tags behind the last frame are no sound.
    @Test func tagsAreNoDamage() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=3", "-c:a", "libmp3lame", "-write_apetag", "1", "-write_id3v1", "1",
            "-metadata",
            "title=Sine", path,
        ])
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect(try read(path, stream).1.isEmpty)
        #expect(stream.flaws == nil)
    }

    /// A frame whose checksum is wrong decodes, to noise.
    @Test func aFrameWithAWrongChecksumIsSilent() async throws {
        let folder = try TemporaryFolder()
        let damaged = try #require(DamagedSound.all.first)
        let path = try await damaged.make(in: folder)
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        let (heard, damage) = try read(path, stream)
        // A FLAC frame of ffmpeg has 4608 samples at 48 kHz.
        #expect(damage.ranges.map(\.count) == [4608, 4608])
        for range in damage.ranges {
            #expect(heard[0][Int(range.lowerBound)..<Int(range.upperBound)].allSatisfy { $0 == 0 })
        }
        let other = try TemporaryFolder()
        let whole = try await damaged.sound.make(in: other)
        let (sweep, _) = try read(whole, stream)
        let first = Int(damage.ranges[0].lowerBound)
        #expect(heard[0][..<first] == sweep[0][..<first])
        #expect(heard[1][(first + 4608)..<(first + 9000)] == sweep[1][(first + 4608)..<(first + 9000)])
    }

    /// A header that is wrong now and then is damage; a stream that becomes another one cannot be heard as it is.
    @Test(arguments: [0.2, 3]) func aStreamThatChanges(seconds: Double) async throws {
        let folder = try TemporaryFolder()
        for (name, rate, length) in [("one", 48_000, 4.0), ("other", 44_100, seconds), ("last", 48_000, 4)] {
            try await Shell.ffmpeg([
                "-f", "lavfi", "-i", "sine=r=\(rate):d=\(length)", "-c:a", "aac", folder.path(name + ".aac"),
            ])
        }
        var bytes = Data()
        for name in ["one", "other", "last"] {
            bytes += try Data(contentsOf: URL(fileURLWithPath: folder.path(name + ".aac")))
        }
        let path = folder.path("a.aac")
        try bytes.write(to: URL(fileURLWithPath: path))
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        guard seconds > 1 else {
            let ranges = try read(path, stream).1.ranges
            #expect(ranges.count == 1 && abs(ranges[0].lowerBound - 4 * 48_000) < 4800)
            return
        }
        let error = #expect(throws: MediaError.self) { try read(path, stream) }
        let text = try #require(error?.failure.message)
        #expect(
            text.contains("from 1 channel at 48000 Hz to 1 channel at 44100 Hz at 4.") && text.contains("ffmpeg -i")
        )
    }

    /// Half of a file whose header counts the whole.
    @Test(arguments: ["a.mp3", "a.flac"]) func aFileThatIsCutOffIsKnown(file: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(file)
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "anoisesrc=d=20:r=48000:seed=3:a=0.3", path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        let flaws = try #require(stream.flaws)
        let promised = try #require(flaws.promised)
        #expect(flaws.displaced == nil && abs(promised - 960_000) < 4000)
        #expect(abs(stream.sampleCount - 480_000) < 10_000)
        let words = try #require(stream.flawWords)
        #expect(words.hasPrefix("its sound is cut off, or a part is missing: its header promises 20"), "\(words)")
    }

    /// Bytes between two frames are no time.
    @Test(arguments: [("a.mp3", "libmp3lame"), ("a.ac3", "ac3"), ("a.aac", "aac")])
    func whatFollowsLostFramesIsDisplaced(file: String, codec: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(file)
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "anoisesrc=d=20:r=48000:seed=3:a=0.3", "-c:a", codec, "-b:a", "128k", path,
        ])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SeededGenerator(seed: 3)
        for place in bytes.count / 4..<bytes.count / 2 { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        try bytes.write(to: URL(fileURLWithPath: path))
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        let displaced = try #require(stream.flaws?.displaced)
        #expect(abs(displaced - 240_000) < 48_000)
    }

    @Test(arguments: [
        ("a.mp3", "libmp3lame", 44_100, "96k"), ("a.mp3", "libmp3lame", 48_000, "320k"),
        ("a.mp3", "libmp3lame", 32_000, "64k"), ("a.mp3", "libmp3lame", 22_050, "56k"),
        ("a.mp3", "libmp3lame", 8000, "24k"), ("a.mp2", "mp2", 48_000, "256k"), ("a.mp2", "mp2", 44_100, "192k"),
        ("a.mp2", "mp2", 24_000, "96k"), ("a.aac", "aac", 44_100, "128k"), ("a.ac3", "ac3", 44_100, "192k"),
        ("a.ac3", "ac3", 48_000, "448k"), ("a.ac3", "ac3", 32_000, "96k"),
    ]) func eachFrameSaysHowLongItIs(file: String, codec: String, rate: Int, bitrate: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(file)
        let input = ["-f", "lavfi", "-i", "anoisesrc=d=1:r=\(rate):seed=3:a=0.3"]
        try await Shell.ffmpeg(input + ["-c:a", codec, "-b:a", bitrate, path])
        let packets = try SoundPackets(FileByteSource(path: path), streamIndex: 0)
        var count = 0
        while let packet = try packets.next() {
            #expect(
                RawFrame.length(of: packet.bytes, container: packets.demuxer.container) == .bytes(packet.bytes.count)
            )
            count += 1
        }
        #expect(count > 5)
    }

    /// What lies behind the last frame of a file without a length is no time, and no damage.
    @Test func whatIsNoFrameAtTheEndIsNoDamage() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=3:r=48000", "-c:a", "libmp3lame", "-write_xing", "0", path,
        ])
        let count = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio).sampleCount
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path)) + Data(count: 5000)
        try bytes.write(to: URL(fileURLWithPath: path))
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect(stream.sampleCount == count && stream.flaws == nil)
        #expect(try read(path, stream).1.isEmpty)
    }

    /// A file whose end was never written.
    @Test(arguments: [("a.mp3", ["-c:a", "libmp3lame", "-write_xing", "0"]), ("a.ac3", ["-c:a", "ac3"])])
    func aLongTailOfNoFramesIsTold(name: String, arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=d=6:r=48000"] + arguments + [path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let count = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio).sampleCount
        func flaws(_ tail: Data) throws -> SoundFlaws? {
            try (bytes + tail).write(to: URL(fileURLWithPath: path))
            let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
            #expect(abs(stream.sampleCount - count) <= 1536)
            return stream.flaws
        }
        let told = try #require(try flaws(Data(count: bytes.count)))
        #expect(try #require(told.tail) > bytes.count * 9 / 10 && told.displaced == nil)
        // A cover in a tag is no lost sound.
        #expect(try flaws(Data("APETAGEX".utf8) + Data(count: bytes.count)) == nil)
    }

    /// A movie whose sound is dead is not one without sound.
    @Test func soundOfWhichNothingCanBeDecodedIsRefused() async throws {
        let folder = try TemporaryFolder()
        let path = try await tail(from: 0, in: folder)
        let error = #expect(throws: MediaError.self) { try AssetProbe.probe(FileByteSource(path: path)) }
        #expect(error?.failure.message.hasPrefix("Nothing of its sound stream 0 (aac) can be decoded") == true)
    }

    /// Where all the rest is wrong, each cell reads its own part of it.
    @Test func aDeadTailIsReadOnce() async throws {
        let folder = try TemporaryFolder()
        let path = try await tail(from: 0.1, in: folder)
        let stream = try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
        #expect(stream.cells?.starts.count ?? 0 > 20)
        let source = try CountingSource(FileByteSource(path: path))
        let reader = try SoundReader(source: source, stream: stream)
        var count: Int64 = 0
        while let block = try reader.next() { count += Int64(block.count) }
        #expect(count == stream.sampleCount && source.bytesRead < 6 * source.byteCount)
        #expect(reader.damage.ranges.count == 1 && reader.damage.ranges.last?.upperBound == count)
    }

    /// 300 s of AAC in MP4 whose packets are wrong from a part of them on.
    private func tail(from part: Double, in folder: TemporaryFolder) async throws -> String {
        let path = folder.path("a.m4a")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "anoisesrc=d=300:r=48000:seed=3:a=0.3", "-c:a", "aac", path])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let start = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
        let end = try #require(bytes.range(of: Data("moov".utf8))).lowerBound - 4
        let first = start + Int(Double(end - start) * part)
        bytes.replaceSubrange(first..<end, with: Data(repeating: 0xFF, count: end - first))
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func placesAreJoined() {
        var damage = SoundDamage(sampleRate: 48_000)
        damage.add(100_000..<100_010)
        damage.add(0..<1)
        damage.add(200_000..<200_100)
        damage.add(120_000..<120_001)
        damage.add(100_002..<100_003)
        damage.add(5..<5)
        #expect(damage.ranges == [0..<1, 100_000..<120_001, 200_000..<200_100])
        damage.add(60_000..<190_000)
        #expect(damage.ranges == [0..<1, 60_000..<200_100])
    }
}
