import Glibc

/// Lets one thread at a time into Pango, Cairo, fontconfig and FreeType.
///
/// Each of them says that it may be called from several threads, as long as no object is shared. But they share what
/// they keep by a font's path (faces, sizes that are set on a face, glyphs), and what is drawn has to be the same to
/// the byte. `cutfarm-render`, the only program that draws text, does so on one thread (a segment's on the one that
/// composes), to which the lock is always free.
///
/// Taken by all that lays out or draws text and that chooses fonts; the same thread may take it again. ``FontCopy`` and
/// libass do without: each has a FreeType library of its own, which shares nothing.
enum TextLock {
    private nonisolated(unsafe) static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        return mutex
    }()

    /// Takes the lock; ``leave()`` has to follow on the same thread.
    static func enter() { pthread_mutex_lock(mutex) }

    /// Releases the lock that ``enter()`` took on this thread.
    static func leave() { pthread_mutex_unlock(mutex) }
}
