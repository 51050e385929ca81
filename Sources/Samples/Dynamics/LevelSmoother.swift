/// Follows a level in dB: up within `attack`, down within `release` (both to 1/e), by the smooth decoupled detector of
/// Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design" (JAES 60, 2012), eq. 17.
struct LevelSmoother {
    private let attack: Double
    private let release: Double
    private var held = 0.0
    private(set) var level = 0.0

    /// Seconds; 0 follows at once.
    init(attack: Double, release: Double, sampleRate: Double) {
        self.attack = DecibelMath.decay(seconds: attack, sampleRate: sampleRate)
        self.release = DecibelMath.decay(seconds: release, sampleRate: sampleRate)
    }

    var memory: Int64 { SoundMemory.sum([SoundMemory.fading(by: attack), SoundMemory.fading(by: release)]) }

    /// - Parameter target: dB, 0 or more.
    @inline(__always) mutating func next(_ target: Double) -> Double {
        held = max(target, release * held + (1 - release) * target)
        level = attack * level + (1 - attack) * held
        if level < 1e-12 { level = 0 }
        if held < 1e-12 { held = 0 }
        return level
    }
}
