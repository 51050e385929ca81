import Pixels

/// The vectors that our own loops over samples are written for. All of them give the same bits.
public enum KernelVectors {
    /// From now on this process runs the loops without vectors.
    public static func switchOff() { VectorLength.switchOff() }
}
