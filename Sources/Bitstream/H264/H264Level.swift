/// The limits of a level (ITU-T H.264, table A-1).
package struct H264Level: Hashable, Sendable {
    /// level_idc: 10 times the level's number; 9 for level 1b.
    package let idc: Int
    /// MaxMBPS: macroblocks per second.
    package let macroblocksPerSecond: Int
    /// MaxFS: macroblocks of a frame.
    package let frameMacroblocks: Int
    /// MaxDpbMbs: macroblocks of the decoded picture buffer.
    package let bufferMacroblocks: Int
    /// MaxBR: units of 1,200 bits per second in the NAL HRD of Baseline to Extended; more in High (table A-2).
    package let bitRate: Int
    /// MaxCPB: units of 1,200 bits.
    package let codedBuffer: Int

    /// All levels of the table, the lowest first.
    package static let all = [
        H264Level(10, 1485, 99, 396, 64, 175), H264Level(9, 1485, 99, 396, 128, 350),
        H264Level(11, 3000, 396, 900, 192, 500), H264Level(12, 6000, 396, 2376, 384, 1000),
        H264Level(13, 11_880, 396, 2376, 768, 2000), H264Level(20, 11_880, 396, 2376, 2000, 2000),
        H264Level(21, 19_800, 792, 4752, 4000, 4000), H264Level(22, 20_250, 1620, 8100, 4000, 4000),
        H264Level(30, 40_500, 1620, 8100, 10_000, 10_000), H264Level(31, 108_000, 3600, 18_000, 14_000, 14_000),
        H264Level(32, 216_000, 5120, 20_480, 20_000, 20_000), H264Level(40, 245_760, 8192, 32_768, 20_000, 25_000),
        H264Level(41, 245_760, 8192, 32_768, 50_000, 62_500), H264Level(42, 522_240, 8704, 34_816, 50_000, 62_500),
        H264Level(50, 589_824, 22_080, 110_400, 135_000, 135_000),
        H264Level(51, 983_040, 36_864, 184_320, 240_000, 240_000),
        H264Level(52, 2_073_600, 36_864, 184_320, 240_000, 240_000),
        H264Level(60, 4_177_920, 139_264, 696_320, 240_000, 240_000),
        H264Level(61, 8_355_840, 139_264, 696_320, 480_000, 480_000),
        H264Level(62, 16_711_680, 139_264, 696_320, 800_000, 800_000),
    ]

    private init(_ idc: Int, _ rate: Int, _ frame: Int, _ buffer: Int, _ bitRate: Int, _ coded: Int) {
        self.idc = idc
        macroblocksPerSecond = rate
        frameMacroblocks = frame
        bufferMacroblocks = buffer
        self.bitRate = bitRate
        codedBuffer = coded
    }

    /// The level with this level_idc; nil where the table has none.
    package init?(idc: Int) {
        guard let found = Self.all.first(where: { $0.idc == idc }) else { return nil }
        self = found
    }

    /// The level that an SPS names: 11 with constraint_set3_flag is level 1b in Baseline, Main and Extended (A.3.1).
    package init?(of sps: H264SPS) {
        let isLevel1b = sps.level == 11 && sps.hasConstraint(3) && [66, 77, 88].contains(sps.profile)
        self.init(idc: isLevel1b ? 9 : sps.level)
    }

    /// MaxDpbFrames: frames that the decoded picture buffer holds, 16 at the most (A.3.1).
    package func frames(ofMacroblocks macroblocks: Int) -> Int { min(bufferMacroblocks / max(macroblocks, 1), 16) }

    /// What a stream asks of a decoder.
    package struct Demand: Hashable, Sendable {
        /// The width of a frame, in macroblocks.
        package var width: Int
        /// The height of a frame, in macroblocks.
        package var height: Int
        /// Frames per second, rounded up; 0 when unknown.
        package var framesPerSecond: Int
        /// max_dec_frame_buffering.
        package var frameBuffering: Int
        /// Bits per second; 0 when unknown.
        package var bitRate: Int

        package init(width: Int, height: Int, framesPerSecond: Int, frameBuffering: Int, bitRate: Int = 0) {
            self.width = width
            self.height = height
            self.framesPerSecond = framesPerSecond
            self.frameBuffering = frameBuffering
            self.bitRate = bitRate
        }
    }

    /// Whether a stream of this profile keeps the level's limits.
    /// - Parameter profile: profile_idc; the High profiles may use more bits (cpbBrNalFactor, table A-2).
    package func holds(_ demand: Demand, profile: Int = 77) -> Bool {
        let size = demand.width * demand.height
        // Each side: Sqrt(MaxFS * 8) (A.3.1, items f and g).
        return size <= frameMacroblocks && demand.width * demand.width <= frameMacroblocks * 8
            && demand.height * demand.height <= frameMacroblocks * 8
            && size * demand.framesPerSecond <= macroblocksPerSecond
            && demand.frameBuffering <= frames(ofMacroblocks: size)
            && demand.bitRate <= bitRate * Self.bitRateFactor(profile: profile)
    }

    /// The lowest level, 1b left out, that holds this; nil when none does.
    package static func smallest(holding demand: Demand, profile: Int = 77) -> H264Level? {
        all.first { $0.idc != 9 && $0.holds(demand, profile: profile) }
    }

    /// cpbBrNalFactor (table A-2).
    private static func bitRateFactor(profile: Int) -> Int {
        switch profile {
        case 100, 118, 128: 1500
        case 110: 3600
        case 122, 244, 44: 4800
        default: 1200
        }
    }
}
