import Foundation
package import WireProtocol

/// The instructions of the processor that a render child computes with.
///
/// Results have the same bytes on every processor, so what gives other bits with other instructions is switched off. The
/// parent switches glibc and pixman by the child's environment, which they read before `main`; the child switches the
/// rest by its request, once, before it opens anything:
///
/// | request | glibc's FMA | libav's vectors | x264's vectors | our kernels' vectors | glibc's and pixman's other vectors |
/// |---|---|---|---|---|---|
/// | sound, raw sound, loudness, waveform, measure | off | SSE2 | on | on | on |
/// | every other | off | on | on | on | on |
/// | sound and the like, with `CUTFARM_CPU=plain` | off | SSE2 | off | off | off |
/// | every other, with `CUTFARM_CPU=plain` | off | off | off | off | off |
///
/// - “SSE2” is plain C on another architecture than x86-64.
/// - glibc's sines and powers round otherwise where multiplications are fused.
/// - libav's decoders and encoders of sound add floating point numbers, in another order where vectors are longer: AAC,
///   MP3 and Opus come out with other bits in plain C, under SSE2, AVX and AVX2. Every x86-64 processor has SSE2, and
///   computes the same with it. Pictures are integers and are the same.
/// - The others give the same bits with and without vectors, which `CUTFARM_CPU=plain` is there to prove
///   (docs/design/determinism.md).
package struct CPUFeaturePolicy: Sendable, Hashable {
    /// Code that is written for several kinds of processors, and chosen in the child.
    package enum Code: String, Sendable, CaseIterable {
        case libav, x264, kernels
    }

    /// The code that computes without vectors. The rest takes the longest ones of the processor, but libav where
    /// ``limitsLibAV`` says so.
    package let plain: Set<Code>
    /// Whether libav computes with the vectors that every processor has; it is not ``plain`` then.
    package let limitsLibAV: Bool

    /// The policy of a child.
    /// - Parameters:
    ///   - request: what the child was asked for.
    ///   - environment: the child's own, by ``environment(isPlain:)``.
    package init(for request: RenderRequest, environment: [String: String]) {
        limitsLibAV = request.makesSound
        let all = Set(Code.allCases)
        plain = !CPUFeaturePolicy.isPlain(environment) ? [] : limitsLibAV ? all.subtracting([.libav]) : all
    }

    /// Whether `environment` asks for children that compute with the instructions that every x86-64 processor has:
    /// `CUTFARM_CPU=plain`. Tests do, and who wants to know whether two machines differ.
    static func isPlain(_ environment: [String: String]) -> Bool { environment[variable] == "plain" }

    /// What a child's environment has to say.
    /// - Parameter isPlain: whether the parent's asks for plain children.
    static func environment(isPlain: Bool) -> [String: String] {
        let features = fused + (isPlain ? vectors : [])
        var variables = ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + features.map { "-" + $0 }.joined(separator: ",")]
        guard isPlain else { return variables }
        variables[variable] = "plain"
        // pixman, which Cairo draws with.
        variables["PIXMAN_DISABLE"] = "mmx sse2 ssse3 arm-simd arm-neon"
        return variables
    }

    private static let variable = "CUTFARM_CPU"

    /// Fused multiplication by glibc's names ("Hardware Capability Tunables").
    private static let fused = ["FMA", "FMA4"]

    /// All else that glibc chooses by, by its names.
    private static let vectors = [
        "AVX", "AVX2", "AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL", "SSE4_2", "SSE4_1", "SSSE3", "SSE3",
        "BMI1", "BMI2", "LZCNT", "MOVBE", "POPCNT", "ERMS", "FSRM", "XSAVEC",
    ]
}

extension RenderRequest {
    /// Whether sound is decoded or encoded for it.
    fileprivate var makesSound: Bool {
        switch self {
        case .sound, .loudness, .waveform, .measure: true
        case .raw(let request): if case .sound = request.content { true } else { false }
        case .probe, .picture, .stitch, .fonts, .stills, .sheet, .join, .export, .preview, .versions: false
        }
    }
}
