import CSandbox
import Media
import Rendering
import Sandbox

extension CPUFeaturePolicy {
    /// Switches this process; what is open already stays as it is.
    func apply() {
        if limitsLibAV { VectorCode.limitLibAV() }
        for code in plain {
            switch code {
            case .libav: VectorCode.libav.switchOff()
            case .x264: VectorCode.x264.switchOff()
            case .kernels: KernelVectors.switchOff()
            }
        }
    }

    /// What computes with vectors in this process, by name in ascending order: the C library and every ``Code``.
    static var vectors: [String] {
        let codes = Code.allCases.filter { code in
            switch code {
            case .libav: VectorCode.libav.isOn
            case .x264: VectorCode.x264.isOn
            case .kernels: KernelVectors.isOn
            }
        }
        return (codes.map(\.rawValue) + (cut_libc_has_vectors() == 0 ? [] : ["glibc"])).sorted()
    }
}
