import CSandbox

/// The memory of this process.
package enum ProcessMemory {
    /// Gives what is free in the heap back to the system. The C library keeps it, for hours where a little that is in use
    /// lies behind it. It takes some milliseconds for each 100 MiB.
    package static func returnFree() { cut_return_memory() }
}
