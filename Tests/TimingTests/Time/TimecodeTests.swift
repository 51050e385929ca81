import Testing

@testable import Timing

@Suite struct TimecodeTests {
    struct Label {
        let text: String
        let rate: (Int64, Int64)
        let frame: Int64
    }

    static let labels = [
        Label(text: "00:00:00:00", rate: (25, 1), frame: 0),
        Label(text: "00:00:01:12", rate: (25, 1), frame: 37),
        Label(text: "01:00:00:00", rate: (24_000, 1001), frame: 86_400),
        Label(text: "00:00:59;29", rate: (30_000, 1001), frame: 1799),
        Label(text: "00:01:00;02", rate: (30_000, 1001), frame: 1800),
        Label(text: "00:10:00;00", rate: (30_000, 1001), frame: 17_982),
        Label(text: "01:00:00;00", rate: (30_000, 1001), frame: 107_892),
        Label(text: "23:59:59;29", rate: (30_000, 1001), frame: 2_589_407),
        Label(text: "00:01:00;04", rate: (60_000, 1001), frame: 3600),
        Label(text: "01:00:00;00", rate: (60_000, 1001), frame: 215_784),
        Label(text: "00:00:01:119", rate: (120, 1), frame: 239),
        Label(text: "100:00:00:00", rate: (25, 1), frame: 9_000_000),
        // Twelve and a half frames per second have thirteen labels.
        Label(text: "00:00:01:00", rate: (25, 2), frame: 13),
    ]

    @Test(arguments: labels) func namesItsFrame(_ label: Label) throws {
        let rate = try FrameRate(label.rate.0, label.rate.1)
        guard case .timecode(let timecode) = try TimeText.read(label.text) else {
            Issue.record("\(label.text) is no timecode")
            return
        }
        #expect(try timecode.frame(at: rate) == label.frame)
        let back = Timecode(frame: label.frame, at: rate, isDropFrame: timecode.isDropFrame)
        #expect(back == timecode && back.description == label.text)
    }

    /// A whole day, counted as SMPTE ST 12-1 says it, not by a formula: at both ends of every second the frame has the
    /// counted label, and the label the frame.
    @Test(arguments: [30, 60] as [Int64]) func dropFrameOfAWholeDay(perSecond: Int64) throws {
        let rate = try FrameRate(perSecond * 1000, 1001)
        let dropped = perSecond / 15
        var (start, wrong) = (Int64(0), 0)
        for second in Int64(0)..<86_400 {
            let minute = second / 60
            let first = second % 60 == 0 && minute % 10 != 0 ? dropped : 0
            for label in [first, first + 1, perSecond - 1] {
                let timecode = Timecode(
                    hours: minute / 60,
                    minutes: minute % 60,
                    seconds: second % 60,
                    frames: label,
                    isDropFrame: true
                )
                let frame = start + label - first
                if Timecode(frame: frame, at: rate, isDropFrame: true) != timecode { wrong += 1 }
                if try timecode.frame(at: rate) != frame { wrong += 1 }
            }
            start += perSecond - first
        }
        #expect(wrong == 0)
        #expect(start == perSecond * 86_400 - dropped * (1440 - 144))
    }

    /// Every frame of the ten minutes after which drop frame repeats.
    @Test(arguments: [30, 60] as [Int64]) func dropFrameOfTenMinutes(perSecond: Int64) throws {
        let rate = try FrameRate(perSecond * 1000, 1001)
        var labels: Set<String> = []
        let count = perSecond * 600 - perSecond / 15 * 9
        for frame in 0..<count {
            let timecode = Timecode(frame: frame, at: rate, isDropFrame: true)
            labels.insert(timecode.description)
            if try timecode.frame(at: rate) != frame { Issue.record("\(timecode)") }
        }
        #expect(labels.count == Int(count))
        #expect(Timecode(frame: count, at: rate, isDropFrame: true).description == "00:10:00;00")
    }

    static let wrongLabels =
        [
            ("00:01:00;00", 30_000, 1001, "\"00:01:00;02\""), ("00:01:00;01", 30_000, 1001, "\"00:01:00;02\""),
            ("00:09:00;03", 60_000, 1001, "\"00:09:00;04\""), ("00:00:01;00", 25, 1, "\"00:00:01:00\""),
            ("00:00:01;00", 30, 1, "\"00:00:01:00\""), ("00:00:01;00", 24_000, 1001, "\"00:00:01:00\""),
            ("00:00:01:25", 25, 1, nil), ("00:60:00:00", 25, 1, nil), ("00:00:60:00", 25, 1, nil),
            ("00:00:00:30", 30_000, 1001, nil),
        ] as [(String, Int64, Int64, String?)]

    @Test(arguments: wrongLabels) func refusesLabelsThatDoNotExist(
        text: String,
        top: Int64,
        bottom: Int64,
        suggestion: String?
    ) throws {
        let error = #expect(throws: TimeTextError.self) {
            try TimeText.read(text).seconds(at: FrameRate(top, bottom))
        }
        #expect(error?.rule == .timecode)
        #expect(error?.suggestion == suggestion)
        #expect(error?.message.contains(text) == true)
    }

    @Test func hugeLabelsOverflow() throws {
        let time = try TimeText.read("9223372036854775807:00:00:00")
        let error = #expect(throws: TimeTextError.self) { try time.seconds(at: FrameRate(25)) }
        #expect(error?.rule == .overflow)
    }
}
