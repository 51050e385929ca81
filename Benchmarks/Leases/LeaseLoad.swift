import Foundation

/// All workers, and what they met.
final class LeaseLoad {
    /// The milliseconds until the answer, by kind of request.
    private(set) var times: [BenchWorker.Step: [Double]] = [:]
    private(set) var errors: [String] = []
    private let workers: [BenchWorker]
    private var polled: [pollfd]

    init(port: UInt16, token: String, settings: BenchWorker.Settings, workers count: Int) {
        workers = (0..<count).map { number in
            BenchWorker(number: number, exchange: HTTPExchange(port: port, token: token), settings: settings)
        }
        polled = workers.map { _ in pollfd(fd: -1, events: Int16(POLLIN), revents: 0) }
        for worker in workers { noting { () throws(HTTPExchange.Failed) in try worker.exchange.open() } }
    }

    /// Forgets the times so far; errors are kept.
    func measures() { times = [:] }

    /// Lets the workers work until an instant. What comes is looked at every millisecond.
    func run(until end: Double) {
        while now() < end {
            let time = now()
            for worker in workers where !worker.isWaiting && worker.due <= time {
                noting { () throws(HTTPExchange.Failed) in try worker.act(at: now()) }
            }
            for number in workers.indices {
                polled[number].fd = workers[number].isWaiting ? workers[number].exchange.descriptor : -1
            }
            if poll(&polled, nfds_t(polled.count), 1) > 0 { receive() }
            usleep(1000)
        }
    }

    private func receive() {
        for (worker, polled) in zip(workers, polled) where polled.revents != 0 && worker.isWaiting {
            noting { () throws(HTTPExchange.Failed) in
                guard let (took, error) = try worker.receive(at: now()) else { return }
                times[worker.step, default: []].append(took)
                if let error { errors.append(error) }
            }
        }
    }

    private func noting(_ act: () throws(HTTPExchange.Failed) -> Void) {
        do throws(HTTPExchange.Failed) {
            try act()
        } catch {
            errors.append(error.sentence)
        }
    }
}
