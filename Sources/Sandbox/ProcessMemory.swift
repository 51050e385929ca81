import CSandbox

/// The memory of this process.
package enum ProcessMemory {
    /// Makes the C library keep little freed memory, for a process that runs for weeks and now and then needs large
    /// blocks. Call it before the process starts other threads.
    package static func keepLittle() { cut_keep_little_memory() }

    /// Returns free memory that the C library keeps to the system. Otherwise a small block that stays in use keeps all
    /// free memory before it. It takes some milliseconds for each 100 MiB.
    package static func returnFree() { cut_return_memory() }
}
