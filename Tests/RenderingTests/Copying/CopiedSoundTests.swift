import CompositionModel
import Foundation
import Media
import TestSupport
import Testing

@testable import Planning
@testable import Rendering

/// Sound of which packets of AAC are copied beside encoded ones: the packets are the source's, every sample is at its
/// place, and where they meet nothing is louder than what an encoder leaves out.
@Suite struct CopiedSoundTests {
    private static let seeds = TestSeeds.asked(usual: 6, thorough: 60)
    private static let music =
        "0.2*sin(2*PI*220*t)*exp(-3*mod(t,0.5))+0.2*sin(2*PI*331*t)+0.1*sin(2*PI*1760*t)*exp(-9*mod(t,0.25))"
        + "|0.3*sin(2*PI*110*t)+0.1*(random(0)-0.5)*exp(-20*mod(t,0.5))"
    private static let sweep = "0.4*sin(2*PI*(60*t+150*t*t))|0.4*sin(2*PI*(9000*t-100*t*t))"

    /// A movie with pictures that can be copied and sound of AAC.
    private static func movie(
        _ name: String,
        _ sound: String,
        in folder: TemporaryFolder,
        rate: Int = 48_000,
        coding: [String] = ["-b:a", "160k", "-aac_pns", "0"]
    ) async throws -> TestMovie {
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25"]
        let heard = ["-f", "lavfi", "-i", "aevalsrc='\(sound)':s=\(rate)", "-t", "20"]
        let x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"] + TestPattern.bt709
        return try await TestMovie.make(name, in: folder, picture + heard + x264 + ["-c:a", "aac"] + coding)
    }

    private static func edit(
        _ clips: [String],
        _ movies: [String: TestMovie],
        rate: Int = 48_000,
        channels: Int = 2
    ) throws -> PlannedEdit {
        let assets = movies.keys.sorted().map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 48], "frameRate": "25", "sampleRate": \(rate), "channels": \(channels) },
              "assets": { \(assets) }, "outputs": [{ "preset": "h264" }],
              "tracks": [ { "kind": "video", "segments": [ \(clips.joined(separator: ", ")) ] } ] }
            """
        return try PlannedEdit(text, movies, preset: nil, copies: true)
    }

    private static func clip(_ asset: String, _ start: Int, _ count: Int, _ more: String = "") -> String {
        "{ \"asset\": \"\(asset)\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\"\(more) }"
    }

    /// The samples of the mix, one array a channel.
    private static func mix(_ edit: PlannedEdit, _ plan: RenderPlan, _ folder: TemporaryFolder) throws -> [[Float]] {
        var task = try #require(plan.sound)
        task.encoding = AudioEncoding(codec: .pcm24, bitRate: nil)
        let steps = try edit.rendered(task, in: folder).steps
        return (0..<task.channels).map { channel in
            stride(from: channel, to: steps.count, by: task.channels).map { Float(steps[$0]) / 8_388_608 }
        }
    }

    /// SHA-256 of each packet of sound in a file, as ffmpeg reads it.
    private static func packetHashes(_ path: String) async throws -> [String] {
        let text = try await Shell.ffmpeg(
            ["-i", path, "-map", "0:a", "-c", "copy", "-f", "framehash", "-hash", "sha256", "-"]
        )
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            // Side data stand behind the hash.
            $0.split(separator: ",").dropFirst(5).first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What is wrong with the joined sound of `plan`: samples that stand out of what one encoder does.
    private static func outstanding(
        _ edit: PlannedEdit,
        _ plan: RenderPlan,
        _ folder: TemporaryFolder
    ) throws -> [Int] {
        var plan = plan
        plan.segments = []
        let truth = try mix(edit, plan, folder)
        let joined = try plan.decodedSound(of: edit, plan.soundPieces.map(\.task), in: folder)
        let single = try plan.decodedSound(of: edit, [try encodedAlone(plan)], in: folder)
        #expect(joined.map(\.count) == truth.map(\.count))
        let joins = joins(plan)
        return truth.indices.flatMap { channel in
            let own = LocalError(joined[channel], truth: truth[channel])
            let other = LocalError(single[channel], truth: truth[channel])
            return joins.flatMap {
                own.outstanding(near: $0.sample, distance: 3072, beside: other, reach: $0.reach)
            }
        }
    }

    /// The whole sound encoded by one encoder, whose packets lie on the grid of the copied ones.
    private static func encodedAlone(_ plan: RenderPlan) throws -> SoundTask {
        var task = try #require(plan.sound)
        guard let priming = plan.soundPieces.first?.task.packets?.priming else { return task }
        let count = (Int64(priming) + task.sampleCount + 1023) / 1024
        task.packets = SoundPacketPlan(priming: priming, count: count, start: 0, runs: [SoundPacketRun(count: count)])
        return task
    }

    /// The samples of the output at which copies begin and end, and how near an error of the encoder has to be that is as
    /// loud: 21 ms, as at any other join. At a cut between two copies it is 43 ms, the window of a bridge, which lies
    /// over the cut: there the tones of ``surroundIsCopied()`` have errors of −75 to −105 dBFS where the encoder, which
    /// divides its windows at the cut, has −74 to −84.
    private static func joins(_ plan: RenderPlan) -> [(sample: Int, reach: Int)] {
        let copies = plan.soundPieces.flatMap { piece -> [Range<Int>] in
            guard let packets = piece.task.packets else { return [] }
            return packets.ranges.filter { $0.run.copy != nil }.map { range, _ in
                let start = Int(piece.start) - packets.priming
                return start + Int(range.lowerBound) * 1024..<start + Int(range.upperBound) * 1024
            }
        }
        return copies.indices.flatMap { index -> [(sample: Int, reach: Int)] in
            let before = index > 0 ? copies[index - 1].upperBound : Int.min / 2
            let behind = index + 1 < copies.count ? copies[index + 1].lowerBound : Int.max / 2
            let own = copies[index]
            return [(own.lowerBound, own.lowerBound - before), (own.upperBound, behind - own.upperBound)].map {
                ($0.0, $0.1 <= 8 * 1024 ? 2 * LocalError.reach : LocalError.reach)
            }
        }.filter { $0.sample > 0 && $0.sample < Int(plan.sampleCount) - 3072 }
    }

    /// The packets that are copied, by the output's numbers, with those of the source.
    private static func copied(_ plan: RenderPlan) -> [(packet: Int, source: Int, asset: ContentDigest)] {
        plan.soundPieces.flatMap { piece in
            let first = piece.start / 1024
            return (piece.task.packets?.ranges ?? []).flatMap { packets, run in
                packets.clamped(to: 0..<(piece.task.packets?.count ?? 0)).compactMap { number in
                    run.copy.map { copy in
                        (
                            packet: Int(first + number), source: Int(copy.packet + number - packets.lowerBound),
                            asset: piece.task.assets[copy.asset]
                        )
                    }
                }
            }
        }
    }

    @Test(arguments: ["a.mp4", "a.mov", "a.ts", "a.mkv"])
    func aWholeFileIsCopied(name: String) async throws {
        let folder = try TemporaryFolder()
        let movie = try await Self.movie(name, Self.music, in: folder)
        let edit = try Self.edit([Self.clip("a", 0, 500)], ["a": movie])
        let plan = try edit.plan(nil)
        let copied = Self.copied(plan)
        let task = try #require(plan.soundPieces.first?.task)
        #expect(copied.count >= Int(try #require(task.packets).count) - 4, "\(String(describing: task.packets))")
        let output = try await edit.copiedMovie(plan, in: folder, name: "out.mp4", hasSound: true)
        #expect(try await output.decoderMessages() == "")
        let (own, source) = (try await Self.packetHashes(output.path), try await Self.packetHashes(movie.path))
        if !name.hasSuffix(".ts") {
            for packet in copied { #expect(own[packet.packet] == source[packet.source]) }
        }
        #expect(try Self.outstanding(edit, plan, folder) == [])
    }

    /// One source has the same grid wherever it is cut by multiples of eight frames (8 · 1920 samples are 15 packets).
    @Test func trimsOnOneGridAreJoined() async throws {
        let folder = try TemporaryFolder()
        let movie = try await Self.movie("a.mp4", Self.sweep, in: folder)
        let edit = try Self.edit(
            [Self.clip("a", 3, 104), Self.clip("a", 219, 80), Self.clip("a", 20, 61), Self.clip("a", 304, 72)],
            ["a": movie]
        )
        let plan = try edit.plan(nil)
        #expect(Self.copied(plan).count > 350)
        #expect(plan.encodedSound?.map(\.reason) == [.grid, .border])
        #expect(try Self.outstanding(edit, plan, folder) == [])
    }

    /// Attacks in one channel beside tones in the other: the encoder gives nearly every packet two windows.
    @Test func channelsHaveWindowsOfTheirOwn() async throws {
        let folder = try TemporaryFolder()
        let attacks = "0.3*(random(0)-0.5)*exp(-200*mod(t,0.04))|0.3*sin(2*PI*331*t)"
        let movies = [
            "a": try await Self.movie("a.mp4", attacks, in: folder),
            "b": try await Self.movie("b.mp4", Self.sweep, in: folder),
        ]
        let edit = try Self.edit(
            [
                Self.clip("b", 0, 96), Self.clip("a", 104, 80, ", \"volume\": 0.5"), Self.clip("b", 184, 96),
                Self.clip("a", 104, 64), Self.clip("a", 8, 80),
            ],
            movies
        )
        let plan = try edit.plan(nil)
        #expect(plan.encodedSound?.map(\.reason).first == .level && Self.copied(plan).count > 450)
        #expect(Set(Self.copied(plan).map(\.asset)).count == 2)
        #expect(try Self.outstanding(edit, plan, folder) == [])
    }

    /// Copies go on over the border of two pieces, and each piece makes its own packets.
    @Test func piecesOfCopiedSoundAreJoined() async throws {
        let folder = try TemporaryFolder()
        let movie = try await Self.movie("a.mp4", Self.music, in: folder)
        // 480 frames are 900 packets; what is louder is encoded.
        let clips = (0..<20).map { Self.clip("a", $0 % 2 == 0 ? 8 : 16, 480, $0 == 2 ? ", \"volume\": 0.5" : "") }
        let edit = try Self.edit(clips, ["a": movie])
        var plan = try edit.plan(nil)
        plan.segments = []
        let pieces = plan.soundPieces.map { $0.task.packets?.ranges.compactMap(\.run.copy) ?? [] }
        #expect(pieces.count == 2 && pieces.allSatisfy { !$0.isEmpty })
        #expect(Self.copied(plan).count > 16_000)
        let output = try await edit.copiedMovie(edit.plan(nil), in: folder, name: "out.mp4", hasSound: true)
        let (own, source) = (try await Self.packetHashes(output.path), try await Self.packetHashes(movie.path))
        #expect(Self.copied(plan).count { own[$0.packet] != source[$0.source] } == 0)
        #expect(try await output.decoderMessages() == "")
    }

    /// A frequency of its own in each channel of 5.1 comes out of its own loudspeaker, copied, bridged and encoded.
    @Test func surroundIsCopied() async throws {
        let folder = try TemporaryFolder()
        let frequencies = [220, 440, 880, 55, 1760, 3520]
        let tones = frequencies.map { "0.2*sin(2*PI*\($0)*t)*(1-0.4*lt(mod(t,0.4),0.01))" }.joined(separator: "|")
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25"]
        let heard = ["-f", "lavfi", "-i", "aevalsrc='\(tones)':s=48000:c=5.1", "-t", "20"]
        let x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"] + TestPattern.bt709
        let coding = ["-c:a", "aac", "-b:a", "384k", "-aac_pns", "0"]
        let movie = try await TestMovie.make("a.mp4", in: folder, picture + heard + x264 + coding)
        let whole = try Self.edit([Self.clip("a", 0, 500)], ["a": movie], channels: 6).plan(nil)
        #expect(Self.copied(whole).count == 939 && whole.encodedSound == [])
        let edit = try Self.edit(
            [
                Self.clip("a", 3, 104), Self.clip("a", 219, 80), Self.clip("a", 304, 40, ", \"volume\": 0.5"),
                Self.clip("a", 347, 72),
            ],
            ["a": movie],
            channels: 6
        )
        var plan = try edit.plan(nil)
        #expect(Self.copied(plan).count > 350 && plan.encodedSound?.map(\.reason).contains(.level) == true)
        plan.segments = []
        let joined = try plan.decodedSound(of: edit, plan.soundPieces.map(\.task), in: folder)
        for (channel, frequency) in frequencies.enumerated() {
            let (own, all) = Self.energies(of: frequency, in: joined[channel])
            #expect(own > 0.9 * all, "channel \(channel): \(own) of \(all)")
        }
        let found = try Self.outstanding(edit, plan, folder)
        #expect(found == [])
    }

    /// The energy of a tone, a multiple of 5 Hz whose phase may change at cuts, and of all that is heard.
    private static func energies(of frequency: Int, in samples: [Float]) -> (own: Double, all: Double) {
        stride(from: 0, to: samples.count - 9600, by: 9600).reduce((0, 0)) { sums, start in
            var (sine, cosine, all) = (0.0, 0.0, 0.0)
            for (place, sample) in samples[start..<start + 9600].enumerated() {
                let phase = 2 * Double.pi * Double(frequency * place) / 48_000
                sine += Double(sample) * sin(phase)
                cosine += Double(sample) * cos(phase)
                all += Double(sample) * Double(sample)
            }
            return (sums.0 + (sine * sine + cosine * cosine) / 4800, sums.1 + all)
        }
    }

    /// Seeds of cuts with gaps, fades and other speeds between, of sources with other grids; for one piece and many.
    @Test(arguments: seeds)
    func cutsAreJoined(seed: Int) async throws {
        let folder = try TemporaryFolder()
        var random = SplitMix(seed: UInt64(seed))
        let rate = seed % 3 == 0 ? 44_100 : 48_000
        let movies = [
            "a": try await Self.movie("a.mp4", Self.music, in: folder, rate: rate),
            "b": try await Self.movie(
                "b.mp4",
                Self.sweep,
                in: folder,
                rate: rate,
                coding: ["-b:a", "96k", "-aac_pns", "0"]
            ),
        ]
        var clips: [String] = []
        for _ in 0..<6 {
            let more = ["", "", "", ", \"volume\": 0.5", ", \"speed\": 1.5"]
            let count = Int.random(in: 10...120, using: &random)
            let start = Int.random(in: 0...(490 - 2 * count), using: &random) / 8 * 8
            if Int.random(in: 0..<4, using: &random) == 0 {
                clips.append("{ \"transition\": \"dissolve\", \"duration\": \"4f\" }")
            }
            let words = try #require(more.randomElement(using: &random))
            clips.append(Self.clip(Bool.random(using: &random) ? "a" : "b", start, count, words))
        }
        let edit = try Self.edit(clips, movies, rate: rate)
        let plan = try edit.plan(nil)
        let output = try await edit.copiedMovie(plan, in: folder, name: "out.mp4", hasSound: true)
        #expect(try await output.decoderMessages() == "")
        let own = try await Self.packetHashes(output.path)
        for movie in movies.values {
            let source = try await Self.packetHashes(movie.path)
            for packet in Self.copied(plan) where packet.asset == edit.digest(of: movie) {
                #expect(own[packet.packet] == source[packet.source], "seed \(seed)")
            }
        }
        let found = try Self.outstanding(edit, plan, folder)
        #expect(found == [], "seed \(seed): \(clips)")
    }
}
