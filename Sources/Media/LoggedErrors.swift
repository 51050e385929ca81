import CLibAV

/// How often one context of libav has logged an error: the only sign of much damage, as a decoder that makes something
/// of a packet gives no code.
final class LoggedErrors {
    /// The counter for the context's `opaque`, which must not be read after this is gone.
    let counter: UnsafeMutablePointer<Int64>

    init() {
        counter = .allocate(capacity: 1)
        counter.initialize(to: 0)
    }

    deinit { counter.deallocate() }

    var count: Int64 { cut_counted(counter) }
}
