import Synchronization
import WireProtocol

/// What workers last said of their machines. It is kept in memory: each says it again within seconds.
final class MachineReadings: Sendable {
    /// The most workers of which a reading is kept. Beyond it all are forgotten, until the workers say them again.
    private static let limit = 4096
    /// The most bytes of a host's name that are kept: RFC 1035 allows 255.
    private static let hostLength = 255

    private let readings = Mutex<[WorkerID: MachineReading]>([:])

    /// Keeps what a worker says.
    func note(_ reading: MachineReading, of worker: WorkerID) {
        var reading = reading
        reading.host = String(decoding: reading.host.utf8.prefix(Self.hostLength), as: UTF8.self)
        readings.withLock { readings in
            if readings.count >= Self.limit, readings[worker] == nil { readings.removeAll() }
            readings[worker] = reading
        }
    }

    /// The workers with what they said last.
    func adding(to workers: [WorkerView]) -> [WorkerView] {
        readings.withLock { readings in
            workers.map { worker in
                var worker = worker
                worker.machine = readings[worker.id]
                return worker
            }
        }
    }
}
