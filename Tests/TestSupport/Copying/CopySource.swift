/// H.264 and HEVC at 25 frames a second as cameras, phones, drones, recorders of screens and web files have it.
package struct CopySource: Sendable, Hashable, CustomStringConvertible {
    /// How the pictures lie in the file, and are shown. Sources of one raster can stand in one output.
    package enum Raster: String, Sendable, CaseIterable {
        /// 160 × 96.
        case square
        /// 160 × 96, turned by a quarter for display.
        case portrait
        /// 144 × 96 in pixels of 4:3.
        case anamorphic
        /// 160 × 96 of HEVC.
        case hevc

        /// Width and height as shown.
        package var shown: (width: Int, height: Int) {
            switch self {
            case .square, .hevc: (160, 96)
            case .portrait: (96, 160)
            case .anamorphic: (192, 96)
            }
        }

        /// Whether pictures are coded as they are shown.
        package var isPlain: Bool { self == .square || self == .hevc }

        var coded: (width: Int, height: Int) { self == .anamorphic ? (144, 96) : (160, 96) }
    }

    /// What is to be expected of an edit of ordinary clips.
    package enum Copying: Sendable {
        /// Many pictures are copied.
        case most
        /// Perhaps the first group of pictures, perhaps all.
        case some
        /// None, for a reason that the plan names.
        case none
    }

    package let name: String
    package let file: String
    package let frames: Int
    package let raster: Raster
    package let copying: Copying
    /// The most frames that are encoded at a clip's tail: as many as B pictures stand between two others, where nothing
    /// else ends the copy.
    package let longestTail: Int
    private let coding: [String]
    private let filter: String
    /// What ffmpeg does to the packets in a second step; empty without one.
    private let remuxing: [String]

    package var description: String { name }
    /// The name that edits give the file.
    package var asset: String { String(file.prefix { $0 != "." }) }

    init(
        _ name: String,
        _ file: String,
        _ frames: Int,
        _ parameters: String,
        _ more: [String] = [],
        raster: Raster = .square,
        copying: Copying = .most,
        longestTail: Int = 4,
        isTagged: Bool = true,
        filter: String = "",
        remuxing: [String] = []
    ) {
        self.remuxing = raster == .portrait ? ["-metadata:s:v:0", "rotate=270"] : remuxing
        (self.name, self.file, self.frames, self.raster) = (name, file, frames, raster)
        (self.copying, self.longestTail, self.filter) = (copying, longestTail, filter)
        let tags = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
        let (encoder, preset) = raster == .hevc ? ("x265", "ultrafast") : ("x264", "veryfast")
        let quiet = raster == .hevc ? "log-level=none:pools=1:frame-threads=1:" : ""
        coding =
            ["-c:v", "lib" + encoder, "-preset", preset, "-crf", "30", "-pix_fmt", "yuv420p"]
            + ["-\(encoder)-params", quiet + parameters + ":scenecut=0"] + (isTagged ? tags : []) + more
    }

    /// ffmpeg's arguments for each file that is made, up to and with its path; the last one makes the source.
    /// - Parameters:
    ///   - path: where a file of a name lies.
    ///   - seed: sources of other seeds show other pictures and sound other.
    package func steps(seed: Int, path: (String) -> String) -> [[String]] {
        let shape = raster == .anamorphic ? ",setsar=4/3" : ""
        let noise = "hue=h=\(seed * 40),noise=alls=12:allf=t:all_seed=\(seed)\(shape)\(filter)"
        let picture = "testsrc2=s=\(raster.coded.width)x\(raster.coded.height):r=25,\(noise)"
        let tone = ["-f", "lavfi", "-i", "sine=\(300 + 70 * seed):r=48000"]
        let sound = file.hasSuffix(".h264") ? ["-an"] : ["-c:a", "aac", "-ac", "2", "-t", "\(Double(frames) / 25)"]
        let inputs = ["-f", "lavfi", "-i", picture] + tone
        let coded = inputs + ["-frames:v", "\(frames)"] + coding + sound
        guard !remuxing.isEmpty else { return [coded + [path(file)]] }
        let first = path("first-" + file)
        return [coded + [first], ["-i", first, "-c", "copy"] + remuxing + [path(file)]]
    }
}
