/// A text that espeak-ng speaks on the machine that submits the edit: the farm receives the file of the sound.
package struct SpokenText: Sendable, Hashable {
    package var text: String
    /// The name of a voice in espeak-ng, such as `de` or `en-us+f3`.
    package var voice: String
    /// The speed in words per minute.
    package var rate: Int
    /// The pitch, from 0, low, to 99, high.
    package var pitch: Int
    /// The pause added between words, in hundredths of a second.
    package var gap: Int

    package init(text: String, voice: String, rate: Int = 175, pitch: Int = 50, gap: Int = 0) {
        self.text = text
        self.voice = voice
        self.rate = rate
        self.pitch = pitch
        self.gap = gap
    }

    /// A regular expression that names of voices match.
    package static let voicePattern = "^[A-Za-z0-9][A-Za-z0-9_+-]*$"
    /// The longest text, in bytes of UTF-8.
    package static let longestText = 20_000
    /// The values allowed for ``rate``, in words per minute.
    package static let rates = 80...450
    /// The values allowed for ``pitch``.
    package static let pitches = 0...99
    /// The values allowed for ``gap``, in hundredths of a second.
    package static let gaps = 0...500

    /// The arguments that make espeak-ng speak its standard input into the file `path`.
    package func arguments(to path: String) -> [String] {
        ["-v", voice, "-s", "\(rate)", "-p", "\(pitch)", "-g", "\(gap)", "-b", "1", "--stdin", "-w", path]
    }
}
