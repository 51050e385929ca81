import CLibAV
import Synchronization

/// A library whose loops are written for the vector instructions of several processors. Which of them a render child
/// uses is decided by `CPUFeaturePolicy`; everywhere else they take the longest vectors.
package enum VectorCode: Sendable {
    /// libav's decoders, encoders and scaler.
    case libav
    /// The encoders of H.264 and HEVC, x264 and x265.
    case x264

    /// From now on this process computes in the library's plain C; what is open already stays as it is.
    package func switchOff() {
        switch self {
        case .libav: av_force_cpu_flags(0)
        case .x264: VectorCode.x264Plain.store(true, ordering: .relaxed)
        }
    }

    /// Whether the library computes with vectors in this process, as it says itself where it can be asked.
    package var isOn: Bool {
        switch self {
        case .libav: av_get_cpu_flags() != 0
        case .x264: !VectorCode.isX264Plain
        }
    }

    /// Whether encoders of H.264 and HEVC that are opened now compute in plain C.
    static var isX264Plain: Bool { x264Plain.load(ordering: .relaxed) }

    private static let x264Plain = Atomic(false)
}
