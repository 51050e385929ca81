/// What a worker says of its machine with a heartbeat: for people who look, and nothing is decided by it.
package struct MachineReading: Sendable, Hashable, Codable {
    /// The machine's host name.
    package var host: String
    /// The resident memory of the worker's own process, in bytes.
    package var workerBytes: Int64
    /// The resident memory of its render processes together, in bytes; 0 while none runs.
    package var renderBytes: Int64
    /// The memory of the machine, in bytes.
    package var totalBytes: Int64

    package init(host: String, workerBytes: Int64, renderBytes: Int64, totalBytes: Int64) {
        self.host = host
        self.workerBytes = workerBytes
        self.renderBytes = renderBytes
        self.totalBytes = totalBytes
    }
}
