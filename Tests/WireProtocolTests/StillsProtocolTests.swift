import Testing

@testable import CompositionModel
@testable import WireProtocol

/// Stills as tasks of a farm: what may be ordered, how it is shared out, how images come back.
@Suite struct StillsProtocolTests {
    private func order(_ frames: [Int64], box: PictureSize? = nil, sheet: SheetGrid? = nil) -> StillsOrder {
        StillsOrder(frames: frames, format: .png, box: box, sheet: sheet)
    }

    @Test func anOrderSaysWhatIsWrong() {
        let cell = PictureSize(width: 100, height: 50)
        #expect(order([0, 5, 99]).problem(frameCount: 100) == nil)
        #expect(order([9, 3, 3], box: cell, sheet: SheetGrid(columns: 2, rows: 2)).problem(frameCount: 100) == nil)
        #expect(order([]).problem(frameCount: 100)?.contains("1 to 10000 frames") == true)
        #expect(order([0, 100]).problem(frameCount: 100)?.contains("0 to 99") == true)
        #expect(order([-1]).problem(frameCount: 100)?.contains("0 to 99") == true)
        #expect(order([5, 5]).problem(frameCount: 100)?.contains("ascend") == true)
        #expect(order([5], box: PictureSize(width: 0, height: 9)).problem(frameCount: 100)?.contains("sides") == true)
        let small = order([1, 2, 3], box: cell, sheet: SheetGrid(columns: 1, rows: 2))
        #expect(small.problem(frameCount: 100)?.contains("do not fit") == true)
        let large = order([1], box: cell, sheet: SheetGrid(columns: 256, rows: 1))
        #expect(large.problem(frameCount: 100)?.contains("do not fit") == true)
        #expect(order([1], sheet: SheetGrid(columns: 1, rows: 1)).problem(frameCount: 100) != nil)
    }

    @Test(arguments: [1, 3, 4, 20, 97, 500, 10_000]) func everyFrameIsInOnePart(count: Int64) {
        let parts = order(Array(0..<count)).parts
        #expect(parts.flatMap(\.frames) == Array(0..<count))
        #expect(parts.count <= 64 && parts.allSatisfy { !$0.frames.isEmpty })
        if (4...96).contains(count) { #expect(parts.count == 4 || count < 8) }
        let sheet = order(
            Array(0..<count),
            box: PictureSize(width: 9, height: 9),
            sheet: SheetGrid(columns: 9, rows: 9)
        )
        #expect(sheet.parts == [sheet])
    }

    @Test func imagesComeBackAsTheyWent() throws {
        let failure = Failure(code: "damaged", message: "frame 7 is damaged", isPermanent: true)
        let pack = StillPack([
            .init(frame: 3, image: .success([1, 2, 3])), .init(frame: 7, image: .failure(failure)),
            .init(frame: 9, image: .success(Array(0...255))),
        ])
        let bytes = try pack.encoded()
        #expect(StillPack(decoding: bytes) == pack)
        #expect(StillPack(decoding: try StillPack([]).encoded()) == StillPack([]))
        #expect(StillPack(decoding: bytes + [0]) == nil)
        for length in 0..<bytes.count { #expect(StillPack(decoding: Array(bytes.prefix(length))) == nil) }
        for place in 0..<40 {
            var broken = bytes
            broken[place] ^= 0x10
            _ = StillPack(decoding: broken)
        }
    }
}
