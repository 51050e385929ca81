import Media
import Rendering
import Sandbox

extension CPUFeaturePolicy {
    /// Switches this process; what is open already stays as it is.
    func apply() {
        for code in plain {
            switch code {
            case .libav: VectorCode.libav.switchOff()
            case .x264: VectorCode.x264.switchOff()
            case .kernels: KernelVectors.switchOff()
            }
        }
    }
}
