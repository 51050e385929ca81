import CSandbox

/// The memory of this process.
package enum ProcessMemory {
    /// Gives large blocks back to the system as soon as they are freed, and keeps few heaps, for a process that runs for
    /// weeks and computes large things now and then. It is called before there are other threads.
    package static func keepLittle() { cut_keep_little_memory() }

    /// Gives what is free in the heap back to the system. The C library keeps it, for hours where a little that is in use
    /// lies behind it. It takes some milliseconds for each 100 MiB.
    package static func returnFree() { cut_return_memory() }
}
