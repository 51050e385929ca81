import Foundation

// LeaseBench PORT WORKERS WARM-UP-SECONDS SECONDS
//
// That many workers that render nothing (`BenchWorker`), each on a connection of its own, on one thread, so that the load costs
// the machine little beside what is measured. The environment has the worker's token (LEASE_BENCH_TOKEN), and the JSON of a
// registration and of a completion (LEASE_BENCH_REGISTRATION, LEASE_BENCH_PART). At the beginning and at the end of the measured
// seconds it prints a line; then a line of JSON: the requests of each kind, the median and the 99th percentile of the
// milliseconds until the answer, the errors, and the processor time that it took itself in seconds.

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

/// The processor time of this process so far.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The value at a share of ascending values.
func percentile(_ share: Double, _ values: [Double]) -> Double {
    values.isEmpty ? 0 : values[Int(share * Double(values.count - 1))]
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let environment = ProcessInfo.processInfo.environment
guard arguments.count == 4, let port = UInt16(exactly: arguments[0]), let token = environment["LEASE_BENCH_TOKEN"],
    let registration = environment["LEASE_BENCH_REGISTRATION"], let part = environment["LEASE_BENCH_PART"]
else {
    print("usage: LeaseBench PORT WORKERS WARM-UP-SECONDS SECONDS")
    exit(64)
}
let settings = BenchWorker.Settings(registration: registration, part: part)
let load = LeaseLoad(port: port, token: token, settings: settings, workers: arguments[1])
load.run(until: now() + Double(arguments[2]) * 1000)
FileHandle.standardOutput.write(Data("begins\n".utf8))
load.measures()
let (began, spent) = (now(), processorSeconds())
load.run(until: began + Double(arguments[3]) * 1000)
let seconds = (now() - began) / 1000
FileHandle.standardOutput.write(Data("ends\n".utf8))
let every = load.times.values.flatMap(\.self).sorted()
let report: [String: Any] = [
    "seconds": seconds,
    "counts": Dictionary(uniqueKeysWithValues: load.times.map { ($0.key.rawValue, $0.value.count) }),
    "medianMilliseconds": percentile(0.5, every),
    "p99Milliseconds": percentile(0.99, every),
    "kinds": Dictionary(
        uniqueKeysWithValues: load.times.map { step, times in
            let sorted = times.sorted()
            return (step.rawValue, [percentile(0.5, sorted), percentile(0.99, sorted)])
        }
    ),
    "errors": load.errors.count,
    "firstErrors": Array(load.errors.prefix(3)),
    "processorSeconds": processorSeconds() - spent,
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
