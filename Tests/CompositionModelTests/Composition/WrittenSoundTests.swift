import Foundation
import TestSupport
import Testing
import Timing

@testable import CompositionModel

/// A segment of sound writes its members by hand, because plans have very many, and writes all of them: one that was
/// forgotten would be lost between the coordinator and its workers, and would not count for the keys of parts.
@Suite struct WrittenSoundTests {
    private static let segment = AudioTrackSegment(
        start: 1,
        count: 48_000,
        asset: 1,
        stream: 2,
        sourceStart: 3,
        sourceFraction: .zero,
        volume: [VolumeKey(at: 0, millionths: 1, unit: .linear)],
        fadeIn: Crossfade(shape: .linear, count: 4),
        fadeOut: Crossfade(shape: .cut, count: 5),
        speed: RationalTime(whole: 1),
        curve: SoundCurve(samples: [0, 1], positions: [0, 1], speeds: [1, 1]),
        isNested: true,
        keepsPitch: true,
        loop: SampleLoop(start: 0, count: 1),
        pan: [SoundKey(at: 0, millionths: 1)],
        balance: [SoundKey(at: 0, millionths: 1)],
        processors: [SoundProcessor(.equalizer, bands: [])],
        channels: [[1]]
    )

    private static let bare = AudioTrackSegment(
        start: 0,
        count: 1,
        asset: 0,
        stream: 0,
        sourceStart: 0,
        volume: [],
        fadeIn: nil,
        fadeOut: nil
    )

    @Test func aSegmentWritesAllOfItsMembers() throws {
        #expect(try WrittenMembers.members(of: Self.segment) == WrittenMembers.properties(of: Self.segment))
        let least: Set = ["asset", "count", "sourceStart", "start", "stream", "volume"]
        #expect(try WrittenMembers.members(of: Self.bare) == least)
        for segment in [Self.segment, Self.bare] { #expect(try WrittenMembers.areRead(segment)) }
    }

    @Test func aTrackWritesAllOfItsMembers() throws {
        let volume = [VolumeKey(at: 0, millionths: 1, unit: .linear)]
        let bare = AudioTrack(id: "voice", segments: [Self.segment, Self.bare], volume: volume)
        var whole = bare
        (whole.pan, whole.balance) = ([SoundKey(at: 0, millionths: 1)], [])
        whole.processors = [SoundProcessor(.equalizer, bands: [])]
        whole.duck = Duck(under: [1], depth: 1, attack: 2, hold: 3, release: 4, threshold: 5)
        #expect(try WrittenMembers.members(of: whole) == WrittenMembers.properties(of: whole))
        #expect(try WrittenMembers.members(of: bare) == ["id", "segments", "volume"])
        for track in [whole, bare] { #expect(try WrittenMembers.areRead(track)) }
    }

    /// A member that others wrote as null is nil, as it is where it is absent.
    @Test func aMemberThatIsNullIsNil() throws {
        var text = String(decoding: try CanonicalJSON.data(Self.bare), as: UTF8.self)
        text.removeLast()
        let nulls = text + #","fadeIn":null,"loop":null,"curve":null,"pan":null}"#
        #expect(try JSONDecoder().decode(AudioTrackSegment.self, from: Data(nulls.utf8)) == Self.bare)
    }

    @Test func aValueThatIsMostlyNilIsWrittenByItself() throws {
        for value in [OptionalCopyOnWrite(wrappedValue: 7), OptionalCopyOnWrite(wrappedValue: nil)] {
            let written = try JSONEncoder().encode([value])
            #expect(String(decoding: written, as: UTF8.self) == (value.wrappedValue == nil ? "[null]" : "[7]"))
            #expect(try JSONDecoder().decode([OptionalCopyOnWrite<Int>].self, from: written) == [value])
        }
    }
}
