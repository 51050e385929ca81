import CLibAV

/// What libav has written for the vector instructions of processors.
public enum VectorCode {
    /// This process decodes, encodes and scales in plain C from now on; what is open already stays as it is.
    ///
    /// For sound: its decoders and encoders add floating point numbers, in another order where a processor has longer
    /// vectors. AAC, MP3 and Opus come out with other bits under SSE2, AVX and AVX2. Pictures are integers and are the
    /// same.
    public static func switchOff() {
        LibAV.prepare()
        av_force_cpu_flags(0)
    }
}
