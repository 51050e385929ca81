import CompositionModel
import Planning
import Testing
import WireProtocol

@testable import Sandbox

/// The table of ``CPUFeaturePolicy``: which code computes with which vectors for which request.
@Suite struct CPUFeaturePolicyTests {
    private static let sound = SoundTask(
        sampleRate: 48000,
        channels: 2,
        sampleCount: 48000,
        firstSample: 0,
        assets: [],
        tracks: [],
        encoding: AudioEncoding(codec: .pcm24, bitRate: nil),
        rendererVersion: 1
    )

    private static let withSound: [RenderRequest] = [
        .sound(SoundRequest(task: sound, sources: [], readings: [], output: "", scratchFolder: "")),
        .loudness(LoudnessRequest(task: sound, sources: [], scratchFolder: "")),
        .raw(RawRequest(content: .sound(sound, scratchFolder: ""), sources: [], output: "")),
        .measure(
            MeasureRequest(
                task: MeasureTask(sound: sound, what: .loudness, start: 0, wholeSampleCount: 48000),
                sources: [],
                readings: [],
                scratchFolder: "",
                output: ""
            )
        ),
    ]

    private static let withoutSound: [RenderRequest] = [
        .versions,
        .fonts(FontRequest(folders: [], descriptors: [])),
        .probe(ProbeRequest(source: SourceFile(path: "", byteCount: 0, isComplete: true), outputFolder: "")),
        .join(JoinRequest(pieces: [], sampleRate: 48000, channels: 2, wholeSampleCount: 48000, result: .loudness)),
    ]

    @Test(arguments: withSound) func soundIsDecodedAndEncodedWithEveryProcessorsVectors(request: RenderRequest) {
        let environment = RenderEnvironment.variables(temporary: "/work", isPlain: false)
        let policy = CPUFeaturePolicy(for: request, environment: environment)
        #expect(policy.limitsLibAV && policy.plain.isEmpty)
    }

    @Test(arguments: withoutSound) func allElseTakesThem(request: RenderRequest) {
        let environment = RenderEnvironment.variables(temporary: "/work", isPlain: false)
        let policy = CPUFeaturePolicy(for: request, environment: environment)
        #expect(!policy.limitsLibAV && policy.plain.isEmpty)
    }

    @Test(arguments: withSound) func aPlainProcessorHasThoseForSoundToo(request: RenderRequest) {
        let environment = RenderEnvironment.variables(temporary: "/work", isPlain: true)
        let policy = CPUFeaturePolicy(for: request, environment: environment)
        #expect(policy.limitsLibAV && policy.plain == [.x264, .kernels])
    }

    @Test(arguments: withoutSound) func aPlainProcessorHasNoneForAllElse(request: RenderRequest) {
        let environment = RenderEnvironment.variables(temporary: "/work", isPlain: true)
        let policy = CPUFeaturePolicy(for: request, environment: environment)
        #expect(!policy.limitsLibAV && policy.plain == Set(CPUFeaturePolicy.Code.allCases))
    }

    @Test func onlyThatWordAsksForIt() {
        #expect(CPUFeaturePolicy.isPlain(["CUTFARM_CPU": "plain"]))
        #expect(!CPUFeaturePolicy.isPlain(["CUTFARM_CPU": "avx2"]) && !CPUFeaturePolicy.isPlain([:]))
    }
}
