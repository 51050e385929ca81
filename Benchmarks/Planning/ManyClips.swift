import CompositionModel
import EditLanguage
import EditSamples
import Foundation
import Planning
import Sandbox

/// Plans an edit of very many clips with sound, as `cutfarm plan` does, without its file and its printing.
struct ManyClips {
    let count: Int
    /// Frames a second, whole.
    let rate: Int
    /// Frames of each clip.
    let length: Int
    /// The most seconds and MB (goals); nil for none.
    let goal: (seconds: Double, megabytes: Int)?

    /// The edit's text: clips of one source of a minute, whose in points go round its first five seconds.
    private var text: String {
        var text = #"{"schema":"edit/1","format":{"size":[1280,720],"frameRate":"\#(rate)"},"assets":{"a":"a"},"#
        text += #""tracks":[{"kind":"video","segments":["#
        for number in 0..<count {
            if number > 0 { text += "," }
            let start = number % 5 > 0 ? #""in":"\#(number % 5)s","# : ""
            text += #"{"asset":"a",\#(start)"duration":"\#(length)f"}"#
        }
        return text + #"]}],"outputs":[{"preset":"h264"}]}"#
    }

    /// The memory that this process had at most.
    private var megabytes: Int { ProcessStatus.kibibytes("VmHWM") * 1024 / 1_000_000 }

    /// Prints the seconds of each step, and the memory that this process had at most by its end.
    /// - Throws: when the edit has errors.
    func plan() throws {
        let assets = ["a": SampleAsset.copyable("a")]
        let facts = Dictionary(assets.values.map { ($0.digest, $0.facts) }) { first, _ in first }
        var steps: [(name: String, seconds: Double, megabytes: Int)] = []
        func timed<Value>(_ name: String, _ work: () throws -> Value) rethrows -> Value {
            let start = ContinuousClock.now
            defer { steps.append((name, start.duration(to: .now) / .seconds(1), megabytes)) }
            return try work()
        }
        ProcessMemory.keepLittle()
        let composition = try { () throws -> Composition in
            let text = text
            let read = timed("reading") { EditReader.read(text) }
            guard let document = read.document else { throw NotPlanned(findings: read.findings) }
            ProcessMemory.returnFree()
            let result = timed("compiling") { EditCompiler.compile(document, assets: assets) }
            return try result.composition ?? { throw NotPlanned(findings: result.findings) }()
        }()
        try timed("planning") {
            let (_, survey) = try Planner.planWithSurvey(composition, output: 0, facts: facts)
            _ = try survey?.copyable(of: composition.outputs[0])
        }
        let seconds = steps.reduce(0) { $0 + $1.seconds }
        let hours = Double(count * length) / Double(rate) / 3600
        let edit = String(format: "%d clips of %.1f hours at %d fps", count, hours, rate)
        print("planning \(edit): " + String(format: "%.1f s, %d MB", seconds, megabytes))
        let each = steps.map { String(format: "%@ %.2f s, %d MB by then", $0.name, $0.seconds, $0.megabytes) }
        print("  " + each.joined(separator: "; "))
        guard let goal else { return }
        let isReached = seconds <= goal.seconds && megabytes <= goal.megabytes
        print("  goal: \(goal.seconds) s and \(goal.megabytes) MB, \(isReached ? "reached" : "NOT reached")")
    }

    private struct NotPlanned: Error {
        let findings: [Finding]
    }
}
