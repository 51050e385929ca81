import Pixels

/// The vectors that our own loops over samples are written for. All of them give the same bits.
package enum KernelVectors {
    /// From now on this process runs the loops without vectors.
    package static func switchOff() { VectorLength.switchOff() }

    /// Whether the loops take vectors in this process: not where the processor has none that they are written for.
    package static var isOn: Bool { VectorLength.best != .plain }
}
