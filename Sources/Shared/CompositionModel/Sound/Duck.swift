/// Lowers a track while another one is heard (docs/sound.md, "Ducking"). All values are in millionths of a dB or of a
/// second.
package struct Duck: Sendable, Hashable, Codable {
    /// The positions of the audio tracks that are listened to, in the composition or in the task; they are heard as
    /// they sound before their own ducking.
    package var under: [Int]
    /// The amount by which the track is lowered, 0 or more, in millionths of a dB.
    package var depth: Int64
    /// The time that the fade down takes before the other track begins, in millionths of a second.
    package var attack: Int64
    /// The time that the track stays low after the other one has ended, in millionths of a second.
    package var hold: Int64
    /// The time that the fade up takes, in millionths of a second.
    package var release: Int64
    /// The level from which on the other track counts as heard, in millionths of dB of full scale: the root mean square
    /// of a hundredth of a second.
    package var threshold: Int64

    package init(under: [Int], depth: Int64, attack: Int64, hold: Int64, release: Int64, threshold: Int64) {
        self.under = under
        self.depth = depth
        self.attack = attack
        self.hold = hold
        self.release = release
        self.threshold = threshold
    }
}
