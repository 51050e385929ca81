import CLibAV
import Synchronization

/// A library whose loops are written for the vector instructions of several processors. Which of them a render child
/// uses is decided by `CPUFeaturePolicy`; everywhere else they take the longest vectors.
package enum VectorCode: Sendable {
    /// libav's decoders, encoders and scaler.
    case libav
    /// The encoders of H.264 and HEVC, x264 and x265.
    case x264

    /// libav computes in this process from now on with the vectors that every x86-64 processor has, and no others: SSE2
    /// and what came before it. Its loops over sound add in another order where vectors are longer; those of SSE2
    /// round nowhere but in additions, multiplications, divisions, roots and conversions, which every processor rounds
    /// alike. What is open already stays as it is. On another architecture it is plain C.
    package static func limitLibAV() { av_force_cpu_flags(everyProcessors) }

    #if arch(x86_64)
    private static let everyProcessors = AV_CPU_FLAG_MMX | AV_CPU_FLAG_MMXEXT | AV_CPU_FLAG_SSE | AV_CPU_FLAG_SSE2
    #else
    private static let everyProcessors: Int32 = 0
    #endif

    /// From now on this process computes in the library's plain C; what is open already stays as it is.
    package func switchOff() {
        switch self {
        case .libav: av_force_cpu_flags(0)
        case .x264: VectorCode.x264Plain.store(true, ordering: .relaxed)
        }
    }

    /// Whether the library computes with vectors in this process that not every processor of its kind has, as it says
    /// itself where it can be asked.
    package var isOn: Bool {
        switch self {
        case .libav: av_get_cpu_flags() & ~VectorCode.everyProcessors != 0
        case .x264: !VectorCode.isX264Plain
        }
    }

    /// Whether encoders of H.264 and HEVC that are opened now compute in plain C.
    static var isX264Plain: Bool { x264Plain.load(ordering: .relaxed) }

    private static let x264Plain = Atomic(false)
}
