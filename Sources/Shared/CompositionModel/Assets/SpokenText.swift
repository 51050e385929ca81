/// A text that is spoken by espeak-ng on the machine that submits: what the farm gets is the file of its sound.
public struct SpokenText: Sendable, Hashable {
    public var text: String
    /// espeak-ng's name of a voice, such as `de` or `en-us+f3`.
    public var voice: String
    /// Words a minute.
    public var rate: Int
    /// 0 … 99, from low to high.
    public var pitch: Int
    /// Hundredths of a second between words, beyond what the voice does by itself.
    public var gap: Int

    public init(text: String, voice: String, rate: Int = 175, pitch: Int = 50, gap: Int = 0) {
        self.text = text
        self.voice = voice
        self.rate = rate
        self.pitch = pitch
        self.gap = gap
    }

    package static let voicePattern = "^[A-Za-z0-9][A-Za-z0-9_+-]*$"
    public static let longestText = 20_000
    public static let rates = 80...450
    public static let pitches = 0...99
    /// Hundredths of a second.
    public static let gaps = 0...500

    /// Arguments of espeak-ng that make it speak what stands on its standard input into the file `path`.
    public func arguments(to path: String) -> [String] {
        ["-v", voice, "-s", "\(rate)", "-p", "\(pitch)", "-g", "\(gap)", "-b", "1", "--stdin", "-w", path]
    }
}
