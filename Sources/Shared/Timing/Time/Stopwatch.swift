/// The time that has passed on a clock since a moment, which is at first the moment when the stopwatch was made.
package struct Stopwatch: Sendable {
    private let clock: any Clock<Duration>
    private var read: @Sendable () -> Duration

    /// Starts measuring.
    /// - Parameter clock: the clock that says what time passes; tests turn one of their own.
    package init(on clock: any Clock<Duration>) {
        self.clock = clock
        read = Self.reader(clock)
    }

    /// The time since the start.
    package var elapsed: Duration { read() }

    /// Starts again from this moment.
    package mutating func restart() { read = Self.reader(clock) }

    private static func reader<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let began = clock.now
        return { began.duration(to: clock.now) }
    }
}
