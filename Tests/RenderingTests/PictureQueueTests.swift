import CompositionModel
import Media
import Synchronization
import Testing

@testable import Rendering

@Suite struct PictureQueueTests {
    private struct Refusal: Error, Equatable { let frame: Int64 }

    @Test func framesComeInTheirOrder() throws {
        let queue = PictureQueue(count: 9, room: 2) { { try Picture.noise(8, 8, seed: Int($0)) } }
        defer { queue.stop() }
        for frame in 0..<9 {
            #expect(try queue.next().allSamples == Picture.noise(8, 8, seed: frame).allSamples)
        }
    }

    @Test func nothingIsComposedFartherAheadThanThereIsRoom() throws {
        let composed = Mutex(0)
        let queue = PictureQueue(count: 100, room: 3) {
            { frame in
                composed.withLock { $0 += 1 }
                return try Picture.noise(8, 8, seed: Int(frame))
            }
        }
        for _ in 0..<5 { _ = try queue.next() }
        queue.stop()
        #expect((5...8).contains(composed.withLock { $0 }))
    }

    @Test func anErrorComesAtItsFrame() throws {
        let queue = PictureQueue(count: 9, room: 4) {
            { frame in
                if frame == 2 { throw Refusal(frame: frame) }
                return try Picture.noise(8, 8, seed: 0)
            }
        }
        defer { queue.stop() }
        _ = try (queue.next(), queue.next())
        #expect(throws: Refusal(frame: 2)) { try queue.next() }
    }

    @Test func anErrorOfTheStartComesFirst() throws {
        let queue = PictureQueue(count: 9, room: 1) { throw Refusal(frame: -1) }
        defer { queue.stop() }
        #expect(throws: Refusal(frame: -1)) { try queue.next() }
    }

    @Test(arguments: [(16, 3), (1920, 3), (8192, 2), (12_000, 1), (16_384, 1)])
    func largeFramesAreFew(side: Int, count: Int) {
        #expect(SegmentRenderer.framesAhead(PictureSize(width: side, height: side)) == count)
    }

    @Test(arguments: [0, 1]) func itStopsBeforeAllIsTaken(count: Int64) throws {
        let queue = PictureQueue(count: count, room: 1) { { try Picture.noise(8, 8, seed: Int($0)) } }
        queue.stop()
    }
}
