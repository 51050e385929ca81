import Bitstream
import Foundation
import TestSupport
import Testing

/// Messages beside the pictures: found, named, left out, and written again.
@Suite struct SEITests {
    private func messages(_ sample: String) async throws -> [SEIMessage] {
        try H264AccessUnitTests.accessUnits(of: try await H264Sample.named(sample).stream()).flatMap(\.messages)
    }

    @Test(arguments: H264Sample.all) func unitsAreWrittenAsTheyWere(sample: H264Sample) async throws {
        for nal in AnnexB.units(of: try await sample.stream()[...]) where H264UnitType(of: nal) == .sei {
            #expect(try SEIUnit(nal, headerLength: 1).nal() == Array(nal))
        }
    }

    @Test func kindsOfX264() async throws {
        #expect(Set(try await messages("defaults").map(\.kind)) == [.encoderSettings])
        #expect(Set(try await messages("open GOP").map(\.kind)) == [.encoderSettings, .recoveryPoint])
        #expect(Set(try await messages("HRD").map(\.kind)) == [.encoderSettings, .bufferingPeriod, .pictureTiming])
        #expect(try await messages("interlaced").contains { $0.kind == .pictureTiming })
    }

    /// libavcodec writes user data of its own; its reader sees it between what x264 said.
    @Test func messagesOfOthersAreKept() async throws {
        let folder = try TemporaryFolder()
        let path = try await H264Sample.named("HRD").file(in: folder)
        let filter = "h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+hello"
        try await Shell.ffmpeg(["-i", path, "-c", "copy", "-bsf:v", filter, folder.path("b.h264")])
        let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("b.h264"))))
        let units = AnnexB.units(of: stream[...]).filter { H264UnitType(of: $0) == .sei }
        let kept = try units.compactMap { try SEIUnit($0, headerLength: 1).nal { $0.kind == .unregisteredUserData } }
        #expect(kept.count == 3)
        let first = try #require(kept.first)
        let message = try #require(try SEIUnit(first[...], headerLength: 1).messages.first)
        #expect(message.unregisteredData?.uuid.first == 0x08)
        #expect(message.unregisteredData?.data.elementsEqual("hello\0".utf8) == true)
    }

    /// Every field of HRD timing as libavcodec reads it, and without the HRD only what remains.
    @Test(arguments: ["HRD", "HRD, CBR", "interlaced"]) func pictureTimingIsReadAndWritten(name: String) async throws {
        let sample = H264Sample.named(name)
        let folder = try TemporaryFolder()
        let theirs = try await TraceHeaders.units(of: sample.file(in: folder)).joined()
        func values(_ name: String) -> [Int] { theirs.filter { $0.name == name }.map(\.value) }
        var (timings, periods): ([H264PictureTiming], [H264BufferingPeriod]) = ([], [])
        for unit in try H264AccessUnitTests.accessUnits(of: try await sample.stream()) {
            let sps = try #require(unit.sets.sps[0])
            let context = H264PictureTiming.Context(sps)
            var bare = sps
            bare.vui?.removeHRD()
            for message in unit.messages where message.kind == .pictureTiming {
                let timing = try H264PictureTiming(message.payload, context)
                #expect(try timing.message(context) == message)
                let without = try timing.message(H264PictureTiming.Context(bare))
                #expect((without == nil) == (bare.vui?.hasPictureStructure == false))
                if let without {
                    #expect(try H264PictureTiming(without.payload, .init(bare)).structure == timing.structure)
                }
                timings.append(timing)
            }
            for message in unit.messages where message.kind == .bufferingPeriod {
                let period = try H264BufferingPeriod(message.payload, unit.sets)
                #expect(try period.message(unit.sets) == message)
                periods.append(period)
            }
        }
        #expect(timings.count == sample.pictures)
        let hasHRD = name.hasPrefix("HRD")
        #expect(values("cpb_removal_delay") == (hasHRD ? timings.map(\.removalDelay) : []))
        #expect(values("dpb_output_delay") == (hasHRD ? timings.map(\.outputDelay) : []))
        #expect(values("pic_struct").isEmpty || values("pic_struct") == timings.map(\.structure))
        let delays = periods.flatMap { $0.nal + $0.vcl }
        #expect(values("initial_cpb_removal_delay") == delays.map(\.removal) && delays.isEmpty != hasHRD)
    }

    @Test func timecodesAreReadAndWritten() throws {
        var sps = H264SPS()
        var vui = H264VUI()
        vui.hasPictureStructure = true
        vui.nalHRD = H264HRD()
        sps.vui = vui
        var timecode = H264Timecode()
        (timecode.hours, timecode.minutes, timecode.seconds, timecode.frames) = (10, 59, 58, 23)
        timecode.isFull = true
        timecode.offset = -5
        var partial = H264Timecode()
        (partial.seconds, partial.minutes) = (7, 8)
        var timing = H264PictureTiming()
        timing.structure = 5
        timing.timecodes = [timecode, nil, partial]
        let message = try #require(try timing.message(.init(sps)))
        #expect(try H264PictureTiming(message.payload, .init(sps)) == timing)
        timing.timecodes = [timecode]
        #expect(throws: BitstreamError.self) { try timing.message(.init(sps)) }
    }

    @Test(
        arguments: [
            ([0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03], SEIKind.captions),
            ([0xB5, 0x00, 0x31, 0x44, 0x54, 0x47, 0x31, 0x41], .captions),
            ([0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01], .dynamicRange(.dynamicPlus)),
            ([0xB5, 0x00, 0x3B], .registeredUserData), ([], .registeredUserData),
        ] as [([UInt8], SEIKind)]
    ) func registeredData(payload: [UInt8], kind: SEIKind) {
        #expect(SEIMessage(type: 4, payload: payload).kind == kind)
    }

    /// Sizes around 255, and bytes that need emulation prevention.
    @Test(arguments: [0, 1, 254, 255, 256, 510, 700]) func longMessagesAreReadAndWritten(size: Int) throws {
        let messages = [
            SEIMessage(type: 137, payload: [UInt8](repeating: 0, count: size)), SEIMessage(type: 300, payload: [1, 2]),
        ]
        let nal = try #require(SEIUnit(header: [6], messages: messages).nal())
        #expect(AnnexB.units(of: [0, 0, 1] + nal) == [nal[...]])
        #expect(try SEIUnit(nal[...], headerLength: 1).messages == messages)
        #expect(throws: BitstreamError.self) { try SEIUnit(nal.dropLast(4), headerLength: 1) }
    }

    @Test func recoveryPointsAreReadAndWritten() throws {
        var point = RecoveryPoint()
        (point.count, point.isExact, point.sliceGroupChange) = (17, true, 2)
        #expect(try RecoveryPoint(h264: point.h264Message().payload) == point)
        (point.count, point.sliceGroupChange) = (-17, 0)
        #expect(try RecoveryPoint(hevc: point.hevcMessage().payload) == point)
        #expect(throws: BitstreamError.self) { try point.h264Message() }
    }
}
