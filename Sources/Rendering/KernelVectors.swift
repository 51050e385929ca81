import Pixels

/// The vectors that our own loops over samples are written for. All of them give the same bits.
package enum KernelVectors {
    /// From now on this process runs the loops without vectors.
    package static func switchOff() { VectorLength.switchOff() }
}
