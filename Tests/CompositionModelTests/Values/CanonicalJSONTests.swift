import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

@Suite struct CanonicalJSONTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try CanonicalJSON.data(value), as: UTF8.self)
    }

    @Test func namesAreInTheOrderOfUTF16() throws {
        // The order that RFC 8785, 3.2.3 gives as its example.
        let names = ["\u{20ac}", "\r", "\u{fb33}", "1", "\u{1f600}", "\u{80}", "\u{f6}"]
        let value = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
        let expected = #"{"\r":1,"1":3,"\#u{80}":5,"\#u{f6}":6,"\#u{20ac}":0,"\#u{1f600}":4,"\#u{fb33}":2}"#
        #expect(try text(value) == expected)
    }

    @Test func onlyWhatMustIsEscaped() throws {
        #expect(
            try text(["/\"\\\u{8}\t\n\u{c}\r\u{1}\u{1f}é\u{2028}"]) == #"["/\"\\\b\t\n\f\r\u0001\u001fé"#
                + "\u{2028}\"]"
        )
    }

    @Test func numbersAreIntegers() throws {
        #expect(try text([Int64.min, Int64.max, 0]) == "[-9223372036854775808,9223372036854775807,0]")
        #expect(try text([UInt64.max]) == "[18446744073709551615]")
        #expect(throws: EncodingError.self) { try CanonicalJSON.data([0.5]) }
        #expect(try text([true, false]) == "[true,false]")
        #expect(try text([Int?.some(1), nil]) == "[1,null]")
    }

    /// Containers that are handed out and filled later, in any order, and a name that is written twice.
    private struct Roundabout: Encodable {
        enum Key: String, CodingKey {
            case z, m, a, b, list
        }

        func encode(to encoder: any Encoder) throws {
            var whole = encoder.container(keyedBy: Key.self)
            var late = whole.nestedContainer(keyedBy: Key.self, forKey: .z)
            try whole.encode("first", forKey: .m)
            var list = whole.nestedUnkeyedContainer(forKey: .list)
            try late.encode(2, forKey: .m)
            try list.encode(1)
            var inner = list.nestedContainer(keyedBy: Key.self)
            try list.encode([3, 4])
            try inner.encode(true, forKey: .b)
            var innermost = list.nestedUnkeyedContainer()
            try innermost.encode("x")
            try list.encodeNil()
            try late.encodeNil(forKey: .a)
            try whole.encode("second", forKey: .m)
            try [5].encode(to: whole.superEncoder(forKey: .a))
            var again = encoder.container(keyedBy: Key.self)
            try again.encode([String: Int](), forKey: .b)
            try 7.encode(to: list.superEncoder())
        }
    }

    private enum Choice: Codable {
        case none
        case some(count: Int, names: [String])
    }

    private struct Nothing: Encodable {
        func encode(to encoder: any Encoder) {}
    }

    @Test func membersMayComeInAnyOrder() throws {
        let expected =
            #"{"a":[5],"b":{},"list":[1,{"b":true},[3,4],["x"],null,7],"m":"second","z":{"a":null,"m":2}}"#
        #expect(try text(Roundabout()) == expected)
        #expect(try text([Roundabout(), Roundabout()]) == "[\(expected),\(expected)]")
        #expect(
            try text([Choice.some(count: 1, names: ["b", "a"]), .none]).hasPrefix(
                #"[{"some":{"count":1,"names":["b","a"]}},{"none":{}}]"#
            )
        )
        #expect(try text(Nothing()) == "null")
        #expect(try text([Nothing()]) == "[null]")
        #expect(try text([[Int]]()) == "[]")
    }

    /// With fractions it is the JSON of Foundation.
    @Test func fractionsAndBytesAreWrittenAsFoundationDoes() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let numbers: [String: [Double]] = [
            "small": [0, -0.0, 0.1, 1e-7, -2.5e-300], "large": [1, 1e15, 1e16, 123456789.125, 1e300], "isNone": [],
        ]
        #expect(try CanonicalJSON.foundation(numbers) == encoder.encode(numbers))
        #expect(throws: EncodingError.self) { try CanonicalJSON.foundation([Double.infinity]) }
        let bytes = ["none": Data(), "some": Data([0, 255, 7, 62])]
        #expect(try CanonicalJSON.foundation(bytes) == encoder.encode(bytes))
        #expect(try CanonicalJSON.foundation(Data?.some(Data([1]))) == encoder.encode(Data?.some(Data([1]))))
        #expect(try CanonicalJSON.foundation([Data?.some(Data([1])), nil]) == encoder.encode([Data([1]), nil]))
        #expect(try text(bytes) == #"{"none":[],"some":[0,255,7,62]}"#, "keys are digested so")
        let words = ["a/b", "\u{1}\u{1f}\u{7f}\t\"\\é😀"]
        #expect(try CanonicalJSON.foundation(words) == encoder.encode(words))
    }

    /// Foundation sorts by UTF-8, canonical JSON by UTF-16: U+FFFD and what lies above the surrogates change places.
    @Test func namesComeInFoundationsOrder() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let names = ["", "a", "A", "a1", "a10", "a2", "é", "z", "ab\u{0}", "\u{d7ff}", "\u{fffd}", "😀", "\u{10ffff}"]
        let values = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        #expect(try CanonicalJSON.foundation(values) == encoder.encode(values))
        #expect(try text(["\u{fffd}": 1, "😀": 2]) == "{\"😀\":2,\"\u{fffd}\":1}")
    }

    @Test func datesAndSmallFractionsAreWrittenAsFoundationDoes() throws {
        struct Moment: Encodable {
            var at = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
            var later: Date?
            var all: [Date] = []
            var share: Float = 0.1
            var whole: Float = 3
        }
        let moments = [Moment(), Moment(later: .distantPast, all: [.distantFuture, Date(timeIntervalSince1970: 0)])]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try CanonicalJSON.foundation(moments) == encoder.encode(moments))
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode("at \(date.timeIntervalSince1970)")
        }
        let written = try CanonicalJSON.foundation(moments) { "at \($0.timeIntervalSince1970)" }
        #expect(try written == encoder.encode(moments))
        #expect(try CanonicalJSON.foundation(moments[1].later) { _ in "then" } == Data("\"then\"".utf8))
        #expect(throws: EncodingError.self) { try CanonicalJSON.foundation([Float.nan]) }
        #expect(throws: EncodingError.self) { try CanonicalJSON.data([Float(0.5)]) }
    }

    /// The error of a number that cannot be written says where it is.
    @Test func anErrorNamesItsPlace() throws {
        do {
            _ = try CanonicalJSON.data(["a": ["b": [0.5]]])
            Issue.record("it was written")
        } catch let EncodingError.invalidValue(_, context) {
            #expect(context.codingPath.map(\.stringValue) == ["a", "b"])
        }
    }

    @Test func nothingIsLostAgainstFoundation() throws {
        let task = try Compiled(
            editText([#"{ "asset": "a", "duration": "4s" }"#], assets: ["a"]),
            ["a": SampleAsset.minute("a")]
        ).plan().segments[0].task
        #expect(try JSONDecoder().decode(PictureTask.self, from: CanonicalJSON.data(task)) == task)
    }

    /// Writes a member and an item aside, as enums with values do, and notes the encoders that it was given.
    private struct Watched: Encodable {
        final class Note {
            private struct Weak { weak var encoder: AnyObject? }
            private var given: [Weak] = []
            var isAnyAlive: Bool { given.contains { $0.encoder != nil } }
            var count: Int { given.count }
            func add(_ encoder: any Encoder) { given.append(Weak(encoder: encoder as AnyObject)) }
        }
        struct Refused: Error {}
        enum Key: CodingKey { case inside, list }

        let note: Note
        var depth = 2
        var isRefused = false

        func encode(to encoder: any Encoder) throws {
            note.add(encoder)
            var container = encoder.container(keyedBy: Key.self)
            var inside = container.nestedContainer(keyedBy: Key.self, forKey: .inside)
            note.add(inside.superEncoder())
            var list = container.nestedUnkeyedContainer(forKey: .list)
            note.add(list.superEncoder())
            if depth > 0 {
                try inside.encode(Watched(note: note, depth: depth - 1, isRefused: isRefused), forKey: .list)
            }
            if isRefused, depth == 0 { throw Refused() }
        }
    }

    /// Nothing of an encoder stays in memory, also when a value refuses to be encoded.
    @Test(arguments: [false, true]) func encodersLeaveTheMemory(isRefused: Bool) {
        let note = Watched.Note()
        let value = Watched(note: note, isRefused: isRefused)
        #expect(((try? CanonicalJSON.data(value)) == nil) == isRefused)
        #expect(((try? CanonicalJSON.foundation([value])) == nil) == isRefused)
        #expect(((try? ContentDigest(canonical: value, prefix: "")) == nil) == isRefused)
        #expect(((try? CanonicalJSON.data(Holder(inside: value))) == nil) == isRefused)
        #expect(note.count == 36 && !note.isAnyAlive)
    }

    /// Has a member that is encoded by an encoder of its own.
    private struct Holder: OrderedObject {
        let inside: Watched
        func write(to members: inout ObjectMembers) throws { try members.write("inside", inside) }
    }

    /// The bytes of a source that is retimed, blended, made translucent and coloured, for the same reason.
    @Test func theBytesOfAKnownSourceAreKnown() throws {
        var appearance = LayerAppearance()
        appearance.opacity = AnimatedProperty(constant: [500_000])
        appearance.effects = [PictureEffect(.sepia, [.amount: AnimatedProperty(constant: [250_000])])]
        let source = SliceSource(
            asset: 0,
            stream: 1,
            start: try RationalTime(1, 2),
            fit: .cover,
            speed: RationalTime(whole: 2),
            appearance: appearance,
            itemTime: .zero,
            isNested: true,
            blending: .frames
        )
        let canonical = """
            {"appearance":{"effects":[{"effect":"sepia","values":{"amount":{"keys":[{"at":"0/1","value":[250000]}]}}}],\
            "opacity":{"keys":[{"at":"0/1","value":[500000]}]}},"asset":0,"blending":"frames","fit":"cover",\
            "isNested":true,"itemTime":"0/1","speed":"2/1","start":"1/2","stream":1}
            """
        #expect(try text(source) == canonical)
    }

    /// The bytes of a key never change by accident: finished segments of older versions are found by them.
    @Test func theKeyOfAKnownTaskIsKnown() throws {
        let task = PictureTask(
            frameRate: try FrameRate(25),
            size: PictureSize(width: 320, height: 180),
            color: .bt709,
            background: "#000000",
            frameCount: 2,
            postRollCount: 1,
            assets: [SampleAsset.digest("a")],
            instructions: [
                SliceInstruction(
                    frames: FrameRange(start: 0, count: 3),
                    layers: [SliceLayer(from: SliceSource(asset: 0, stream: 0, start: .zero, fit: .contain))]
                )
            ],
            encoding: VideoEncoding(codec: .ffv1, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 1),
            rendererVersion: 1
        )
        let canonical = """
            {"assets":["sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"],"background":"#000000",\
            "color":{"isFullRange":false,"matrix":"bt709","primaries":"bt709","transfer":"bt709"},\
            "encoding":{"codec":"ffv1","keyframeInterval":1,"postRoll":1},"frameCount":2,"frameRate":"25/1",\
            "instructions":[{"frames":{"count":3,"start":0},"layers":[{"from":{"asset":0,"fit":"contain",\
            "start":"0/1","stream":0}}]}],"postRollCount":1,"rendererVersion":1,"size":{"height":180,"width":320}}
            """
        #expect(try text(task) == canonical)
        #expect(try task.key() == ContentDigest(of: Data(("cutfarm/segment-key/1\n" + canonical).utf8)))
    }
}
