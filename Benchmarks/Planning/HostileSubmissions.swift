import CompositionModel
import EditSamples
import Foundation

/// Plans the hostile submissions (`HostileEdit`) of some seeds.
enum HostileSubmissions {
    /// Prints the most that one of them cost, with its seed: steps (`WorkMeter`), seconds, bytes that would be stored;
    /// and by how many MiB this process grew beyond what it held before the first one.
    static func plan(seeds: Range<UInt64>) {
        // What all of them share: the facts of their assets.
        HostileEdit.prepare()
        let before = ProcessStatus.kibibytes("VmRSS")
        var accepted = 0
        var most: (steps: (Int, UInt64), seconds: (Double, UInt64), bytes: (Int, UInt64)) = ((0, 0), (0, 0), (0, 0))
        for seed in seeds {
            let (edit, meter, start) = (HostileEdit(seed: seed), WorkMeter(), ContinuousClock.now)
            let bytes = WorkMeter.$current.withValue(meter) { edit.read().map(edit.plan) ?? 0 }
            let seconds = start.duration(to: .now) / .seconds(1)
            if bytes > 0 { accepted += 1 }
            if meter.steps > most.steps.0 { most.steps = (meter.steps, seed) }
            if seconds > most.seconds.0 { most.seconds = (seconds, seed) }
            if bytes > most.bytes.0 { most.bytes = (bytes, seed) }
        }
        print("\(seeds.count) submissions of at most \(HostileEdit.mostBytes) bytes, \(accepted) accepted")
        print("steps: \(most.steps.0) (seed \(most.steps.1))")
        print(String(format: "seconds: %.1f (seed %d)", most.seconds.0, Int(most.seconds.1)))
        print("stored: \(most.bytes.0 >> 20) MiB (seed \(most.bytes.1))")
        print("memory: \((ProcessStatus.kibibytes("VmHWM") - before) >> 10) MiB")
    }
}
