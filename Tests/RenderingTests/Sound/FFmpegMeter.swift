import Foundation
import TestSupport

/// `ffmpeg -af ebur128`.
enum FFmpegMeter {
    /// What it says of raw 24-bit stereo: LUFS, LU and dBTP.
    static func judge(
        _ samples: Data,
        sampleRate: Int = 48_000,
        in folder: TemporaryFolder
    ) async throws -> (integrated: Double, range: Double, peak: Double) {
        let path = folder.path("judged.s24")
        try samples.write(to: URL(fileURLWithPath: path))
        let arguments = [
            "-nostdin", "-hide_banner", "-f", "s24le", "-ar", "\(sampleRate)", "-ac", "2", "-i", path, "-af",
            "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
        ]
        let text = try await Shell.run("ffmpeg", arguments).errors
        func value(_ name: String, _ unit: String) throws -> Double {
            let line = text.split(separator: "\n").last { $0.contains(name) && $0.contains(unit) } ?? ""
            let number = line.split(separator: " ").compactMap { Double($0) }.first
            guard let number else { throw NoAnswer(description: "no \(name) in \(text)") }
            return number
        }
        return (try value(" I:", "LUFS"), try value("LRA:", "LU"), try value("Peak:", "dBFS"))
    }
}
