/// The limits of a level (ITU-T H.265, tables A.8 and A.9).
package struct HEVCLevel: Hashable, Sendable {
    /// general_level_idc: 30 times the level's number.
    package let idc: Int
    /// MaxLumaPs: samples of luma of a picture.
    package let pictureSamples: Int
    /// MaxLumaSr: samples of luma per second.
    package let samplesPerSecond: Int
    /// MaxBR of the Main tier: units of 1,100 bits per second in the NAL HRD of Main and Main 10.
    package let bitRate: Int
    /// MaxBR of the High tier; nil below level 4.
    package let highBitRate: Int?

    /// All levels of the tables, the lowest first.
    package static let all = [
        HEVCLevel(30, 36_864, 552_960, 128, nil), HEVCLevel(60, 122_880, 3_686_400, 1500, nil),
        HEVCLevel(63, 245_760, 7_372_800, 3000, nil), HEVCLevel(90, 552_960, 16_588_800, 6000, nil),
        HEVCLevel(93, 983_040, 33_177_600, 10_000, nil), HEVCLevel(120, 2_228_224, 66_846_720, 12_000, 30_000),
        HEVCLevel(123, 2_228_224, 133_693_440, 20_000, 50_000),
        HEVCLevel(150, 8_912_896, 267_386_880, 25_000, 100_000),
        HEVCLevel(153, 8_912_896, 534_773_760, 40_000, 160_000),
        HEVCLevel(156, 8_912_896, 1_069_547_520, 60_000, 240_000),
        HEVCLevel(180, 35_651_584, 1_069_547_520, 60_000, 240_000),
        HEVCLevel(183, 35_651_584, 2_139_095_040, 120_000, 480_000),
        HEVCLevel(186, 35_651_584, 4_278_190_080, 240_000, 800_000),
    ]

    private init(_ idc: Int, _ picture: Int, _ rate: Int, _ bitRate: Int, _ highBitRate: Int?) {
        self.idc = idc
        pictureSamples = picture
        samplesPerSecond = rate
        self.bitRate = bitRate
        self.highBitRate = highBitRate
    }

    /// The level with this general_level_idc; nil where the tables have none.
    package init?(idc: Int) {
        guard let found = Self.all.first(where: { $0.idc == idc }) else { return nil }
        self = found
    }

    /// MaxDpbSize: pictures that the decoded picture buffer holds, the current one among them (A.4.2).
    package func pictures(ofSamples samples: Int) -> Int {
        if samples <= pictureSamples / 4 { return 16 }
        if samples <= pictureSamples / 2 { return 12 }
        return samples <= 3 * pictureSamples / 4 ? 8 : 6
    }

    /// What a stream asks of a decoder.
    package struct Demand: Hashable, Sendable {
        /// The width of a picture, in samples of luma.
        package var width: Int
        /// The height of a picture, in samples of luma.
        package var height: Int
        /// Pictures per second, rounded up; 0 when unknown.
        package var picturesPerSecond: Int
        /// Pictures in the buffer, the current one among them: ``HEVCBuffering/pictures``.
        package var buffering: Int
        /// Bits per second; 0 when unknown.
        package var bitRate: Int
        package var isHighTier: Bool

        package init(
            width: Int,
            height: Int,
            picturesPerSecond: Int,
            buffering: Int,
            bitRate: Int = 0,
            isHighTier: Bool = false
        ) {
            self.width = width
            self.height = height
            self.picturesPerSecond = picturesPerSecond
            self.buffering = buffering
            self.bitRate = bitRate
            self.isHighTier = isHighTier
        }
    }

    /// Whether a stream of Main or Main 10 keeps the level's limits.
    package func holds(_ demand: Demand) -> Bool {
        let samples = demand.width * demand.height
        let rate = demand.isHighTier ? highBitRate ?? bitRate : bitRate
        // Each side: Sqrt(MaxLumaPs * 8) (A.4.1).
        return samples <= pictureSamples && demand.width * demand.width <= pictureSamples * 8
            && demand.height * demand.height <= pictureSamples * 8
            && samples * demand.picturesPerSecond <= samplesPerSecond
            && demand.buffering <= pictures(ofSamples: samples) && demand.bitRate <= rate * 1100
    }

    /// The lowest level that holds this; nil when none does.
    package static func smallest(holding demand: Demand) -> HEVCLevel? { all.first { $0.holds(demand) } }
}
