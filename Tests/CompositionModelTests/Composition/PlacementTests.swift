import Testing

@testable import CompositionModel
@testable import Timing

@Suite struct PlacementTests {
    private static let hd = PictureSize(width: 1280, height: 720)

    private static func stream(
        _ width: Int,
        _ height: Int,
        aspect: (Int64, Int64) = (1, 1),
        degrees: Int = 0
    ) throws -> VideoStreamFacts {
        VideoStreamFacts(
            streamIndex: 0,
            codec: "h264",
            profile: nil,
            width: width,
            height: height,
            pixelFormat: "yuv420p",
            pixelAspect: try RationalTime(aspect.0, aspect.1),
            orientation: Orientation(degrees: degrees, isMirrored: false),
            color: .bt709,
            timeBase: try RationalTime(1, 25),
            frameRate: try FrameRate(25),
            isVariableRate: false,
            frameCount: 1,
            duration: try RationalTime(1, 25),
            keyframes: [0],
            language: nil,
            isDefault: true
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var width: Int
        var height: Int
        var aspect: (Int64, Int64) = (1, 1)
        var degrees = 0
        var fit: Fit
        var expected: [Int]
        var testDescription: String { "\(width)×\(height) \(fit) \(degrees)°" }
    }

    /// x, y, width, height in a frame of 1280 × 720.
    private static let cases = [
        Case(width: 1280, height: 720, fit: .contain, expected: [0, 0, 1280, 720]),
        Case(width: 1920, height: 1080, fit: .contain, expected: [0, 0, 1280, 720]),
        Case(width: 1276, height: 720, fit: .contain, expected: [2, 0, 1276, 720]),
        Case(width: 1280, height: 719, fit: .contain, expected: [0, 0, 1280, 720]),
        Case(width: 1279, height: 719, fit: .cover, expected: [0, 0, 1280, 720]),
        Case(width: 1279, height: 719, fit: .none, expected: [0, 0, 1279, 719]),
        Case(width: 1279, height: 718, fit: .contain, expected: [0, 0, 1280, 718]),
        Case(width: 640, height: 480, fit: .contain, expected: [160, 0, 960, 720]),
        Case(width: 640, height: 480, fit: .cover, expected: [0, -120, 1280, 960]),
        Case(width: 640, height: 480, fit: .fill, expected: [0, 0, 1280, 720]),
        Case(width: 640, height: 480, fit: .none, expected: [320, 120, 640, 480]),
        Case(width: 1920, height: 1080, fit: .none, expected: [-320, -180, 1920, 1080]),
        Case(width: 35, height: 21, fit: .none, expected: [622, 348, 35, 21]),
        // 720 × 100 / 333 = 216.2…: the even neighbour 216; the rest 1064 is halved to 532.
        Case(width: 100, height: 333, fit: .contain, expected: [532, 0, 216, 720]),
        // 1280 × 333 / 1000 = 426.24: 426; the rest 294 is halved to 147, rounded down to 146.
        Case(width: 1000, height: 333, fit: .contain, expected: [0, 146, 1280, 426]),
        // A cover that rounding would leave one row short still covers: 1281 × 720.4….
        Case(width: 1281, height: 721, fit: .cover, expected: [0, 0, 1280, 720]),
        Case(width: 720, height: 576, aspect: (16, 15), fit: .contain, expected: [160, 0, 960, 720]),
        Case(width: 720, height: 576, aspect: (64, 45), fit: .none, expected: [128, 72, 1024, 576]),
        Case(width: 1280, height: 720, degrees: 90, fit: .contain, expected: [436, 0, 406, 720]),
        Case(width: 720, height: 1280, degrees: 270, fit: .contain, expected: [0, 0, 1280, 720]),
        Case(width: 576, height: 720, aspect: (15, 16), degrees: 90, fit: .contain, expected: [160, 0, 960, 720]),
    ]

    @Test(arguments: cases)
    func aPictureLandsWhereItsFitSays(_ example: Case) throws {
        let stream = try PlacementTests.stream(
            example.width,
            example.height,
            aspect: example.aspect,
            degrees: example.degrees
        )
        let placed = Placement(of: stream, fit: example.fit, in: PlacementTests.hd)
        #expect([placed.x, placed.y, placed.size.width, placed.size.height] == example.expected)
    }

    @Test func pixelAspectBelongsToTheCodedWidthAlsoWhenItIsTurned() throws {
        // 720 × 64/45 = 1024 wide and 576 high, turned: 576 wide and 1024 high.
        let stream = try PlacementTests.stream(720, 576, aspect: (64, 45), degrees: 90)
        let placed = Placement(of: stream, fit: .none, in: PlacementTests.hd)
        #expect(placed.size == PictureSize(width: 576, height: 1024))
    }

    @Test(arguments: [Fit.contain, .cover])
    func everySizeKeepsItsPromise(fit: Fit) throws {
        let sizes = [
            (2, 2), (3, 999), (1919, 1081), (4096, 16), (17, 17), (1279, 721), (65, 36), (64, 37), (35, 22),
        ]
        for (width, height) in sizes {
            for frame in [PictureSize(width: 64, height: 36), PictureSize(width: 35, height: 21)] {
                let placed = Placement(of: try PlacementTests.stream(width, height), fit: fit, in: frame)
                let (right, bottom) = (placed.x + placed.size.width, placed.y + placed.size.height)
                #expect(placed.x % 2 == 0 && placed.y % 2 == 0)
                if fit == .contain {
                    #expect(placed.x >= 0 && placed.y >= 0 && right <= frame.width && bottom <= frame.height)
                } else {
                    #expect(placed.x <= 0 && placed.y <= 0 && right >= frame.width && bottom >= frame.height)
                }
            }
        }
    }
}
