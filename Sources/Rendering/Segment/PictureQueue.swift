import Foundation
import Media
import Synchronization

/// Frames that one thread composes while another encodes those before them.
///
/// ```
/// composing   0  1  2  3  4 │ waits: `room` frames are ready
/// encoding          0  1  2 │
/// ```
/// What is made does not depend on it, only how long it takes: a worker that is alone at the end of a job has two
/// cores.
final class PictureQueue: Sendable {
    private struct State {
        var ready: [Result<Picture, any Error>] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    // All three begin at 0: a semaphore that is freed below the value it began with is a crash.
    private let places = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - count: the number of frames that are made, from frame 0 on.
    ///   - room: frames that wait for being taken, at most.
    ///   - start: makes what composes; called on the composing thread, as what it returns.
    init(
        count: Int64,
        room: Int,
        start: @escaping @Sendable () throws -> (Int64) throws -> Picture
    ) {
        for _ in 0..<room { places.signal() }
        Thread.detachNewThread { [self] in
            compose(count, start)
            ended.signal()
        }
    }

    /// The next frame. Blocks until it is there.
    /// - Precondition: fewer than `count` were taken, and none was an error.
    /// - Throws: what composing it threw.
    func next() throws -> Picture {
        filled.wait()
        let picture = state.withLock { $0.ready.removeFirst() }
        places.signal()
        return try picture.get()
    }

    /// Ends composing and waits for it. To be called once, in any case.
    func stop() {
        state.withLock { $0.isStopped = true }
        places.signal()
        ended.wait()
    }

    private func compose(_ count: Int64, _ start: () throws -> (Int64) throws -> Picture) {
        let picture: (Int64) throws -> Picture
        do {
            picture = try start()
        } catch {
            return add(.failure(error))
        }
        for frame in 0..<count {
            places.wait()
            if state.withLock({ $0.isStopped }) { return }
            let made = Result { try picture(frame) }
            add(made)
            if case .failure = made { return }
        }
    }

    private func add(_ picture: Result<Picture, any Error>) {
        state.withLock { $0.ready.append(picture) }
        filled.signal()
    }
}
