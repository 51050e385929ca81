import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Media

/// What the probe says of packets of sound for copying them, and the packets that are handed over.
@Suite struct SoundCopyFactsTests {
    private static let noise = ["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.3:seed=4,aformat=channel_layouts=stereo"]

    private static func facts(_ path: String) throws -> AudioStreamFacts {
        try #require(try AssetProbe.probe(FileByteSource(path: path)).facts.defaultAudio)
    }

    /// SHA-256 of each packet of sound in a file, as ffmpeg reads it, without headers of ADTS.
    private static func packets(_ path: String, _ more: [String] = []) async throws -> [String] {
        let arguments = ["-i", path, "-map", "0:a", "-c", "copy"] + more + ["-f", "framehash", "-hash", "sha256", "-"]
        let text = String(decoding: try await Shell.ffmpeg(arguments), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            // Side data stand behind the hash.
            $0.split(separator: ",").dropFirst(5).first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The first packet is priming where the file says so; else what it decodes to is heard.
    @Test(arguments: [("a.mp4", -1024), ("a.mov", -1024), ("a.mkv", 0), ("a.ts", 0), ("a.aac", 0)])
    func packetsAreFoundAndHandedOver(name: String, start: Int64) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try await Shell.ffmpeg(Self.noise + ["-t", "25", "-c:a", "aac", "-b:a", "128k", path])
        let facts = try Self.facts(path)
        let copy = try #require(facts.copy)
        let packets = try await Self.packets(path, start == 0 ? ["-bsf:a", "aac_adtstoasc"] : [])
        #expect(copy.obstacles == [])
        #expect(copy.stretches == [SoundCopyStretch(packets: 0..<Int64(packets.count), start: start)])
        for first in [0, 1, 7, 480, 481, 700, packets.count - 3] {
            let copier = try SoundPacketCopier(
                source: FileByteSource(path: path),
                stream: facts,
                first: Int64(first)
            )
            for number in first..<min(first + 3, packets.count) {
                #expect(ContentDigest(of: try copier.next()).hex == packets[number], "\(name), packet \(number)")
            }
        }
    }

    @Test(arguments: [
        ("mono.mp4", ["-ac", "1"], nil), ("surround.mp4", ["-ac", "6"], nil),
        ("wide.mp4", ["-ac", "8"], SoundCopyRefusal.channels), ("four.mp4", ["-ac", "4"], nil),
        ("main.mp4", ["-profile:a", "aac_main", "-aac_pred", "1"], .profile), ("slow.mp4", ["-ar", "8000"], .rate),
    ])
    func whatCannotBeCopiedIsRefused(name: String, coding: [String], reason: SoundCopyRefusal?) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try await Shell.ffmpeg(Self.noise + ["-t", "3", "-c:a", "aac"] + coding + [path])
        let copy = try #require(try Self.facts(path).copy)
        #expect(copy.obstacles == (reason.map { [$0] } ?? []) && copy.stretches.isEmpty == (reason != nil))
    }

    /// Packets with wrong bytes in their data are damaged, although nothing in the container says so, and all others can be
    /// copied. No packet that can be copied is one of which the decoder says anything.
    @Test(arguments: ["a.ts", "a.m4a"], [30, 3])
    func damagedPacketsAreFound(name: String, size: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try await Shell.ffmpeg(Self.noise + ["-t", "40", "-c:a", "aac", "-b:a", "192k", path])
        let header = name == "a.ts" ? ["-bsf:a", "aac_adtstoasc"] : []
        let whole = try await Self.packets(path, header)
        let places = Array(stride(from: 5, through: 90, by: 5))
        if name == "a.ts" {
            try TransportDamage.write(size, at: places, identifier: 256, of: path)
        } else {
            try WrongBytes.write(size, at: places, of: path)
        }
        let wrong = zip(whole, try await Self.packets(path, header)).enumerated().filter {
            $0.element.0 != $0.element.1
        }
        #expect(wrong.count >= places.count && wrong.count <= 2 * places.count)
        let facts = try Self.facts(path)
        let copy = try #require(facts.copy)
        let copied = Set(copy.stretches.flatMap { $0.packets.map(Int.init) })
        let unasked = Set(whole.indices).subtracting(copied).subtracting(wrong.map(\.offset))
        #expect(unasked == [])
        let missed = copied.intersection(wrong.map(\.offset))
        print("\(name), \(size) bytes: \(wrong.count - missed.count) of \(wrong.count) damaged packets found")
        // Few wrong bytes often make a packet of other sound, which is valid.
        #expect(missed.count <= (size == 30 ? 1 : 12), "\(missed.count) of \(wrong.count)")
        #expect(copy.obstacles.contains(.damaged))
        let decoder = try SoundDecoder(FileByteSource(path: path), streamIndex: 0)
        var number = -1
        decoder.onPacket = { _ in number += 1 }
        while let frame = try decoder.next() {
            // A packet that gave nothing is told with what follows.
            let told = number - Int(frame.lost)..<number + (frame.isDamaged ? 1 : 0)
            #expect(copied.isDisjoint(with: told), "packets \(told)")
        }
    }

    /// Packets of channels under windows of their own, and of several elements, are read up to the last window.
    @Test(arguments: [11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000], [2, 5, 6])
    func everyPacketIsRead(rate: Int, channels: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        let own = (0..<channels).map {
            "0.2*sin(2*PI*\(150 * ($0 + 1))*t)+0.5*(random(\($0))-0.5)*lt(mod(t,0.0\($0 + 2)3),0.002)"
        }
        let layout = [2: "stereo", 5: "5.0", 6: "5.1"][channels] ?? ""
        let sound = "aevalsrc='\(own.joined(separator: "|"))':s=\(rate):c=\(layout)"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", sound, "-t", "5", "-c:a", "aac", path])
        let copy = try #require(try Self.facts(path).copy)
        let packets = try await Self.packets(path)
        #expect(copy == SoundCopyFacts(stretches: [SoundCopyStretch(packets: 0..<Int64(packets.count), start: -1024)]))
    }

    @Test func otherCodecsAreNotRead() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try await Shell.ffmpeg(Self.noise + ["-t", "3", "-c:a", "ac3", path])
        #expect(try Self.facts(path).copy == nil)
    }
}
