import Testing

@testable import CompositionModel
@testable import Rendering

@Suite struct ChannelMatrixTests {
    private func rows(_ description: String, _ count: Int, channels: Int) throws -> [[Double]] {
        ChannelMatrix(from: try #require(ChannelLayout(description: description, count: count)), channels: channels)
            .rows
    }

    private static let root = 0.5.squareRoot()

    @Test func monoAndStereoAreNotTouched() throws {
        #expect(try rows("mono", 1, channels: 1) == [[1]])
        #expect(try rows("mono", 1, channels: 2) == [[1], [1]])
        #expect(try rows("stereo", 2, channels: 2) == [[1, 0], [0, 1]])
        #expect(try rows("stereo", 2, channels: 1) == [[0.5, 0.5]])
    }

    @Test(arguments: ["5.1", "5.1(side)"])
    func fiveOneFollowsTheITU(layout: String) throws {
        let norm = 1 + 2 * Self.root
        let (front, rest) = (1 / norm, Self.root / norm)
        #expect(try rows(layout, 6, channels: 2) == [[front, 0, rest, 0, rest, 0], [0, front, rest, 0, 0, rest]])
        let mono = try rows(layout, 6, channels: 1)[0]
        #expect(abs(mono[0] - front / 2) < 1e-16 && abs(mono[2] - rest) < 1e-16 && mono[3] == 0)
    }

    /// What an edit has itself is not touched.
    @Test(arguments: 1...8) func theSameLoudspeakersAreNotTouched(channels: Int) throws {
        let layout = try #require(ChannelLayout(edit: channels))
        #expect(layout.speakers.count == channels)
        let rows = ChannelMatrix(from: layout, channels: channels).rows
        for (row, factors) in rows.enumerated() {
            #expect(factors == (0..<channels).map { $0 == row ? 1 : 0 })
        }
    }

    @Test func eachGoesToItselfOrBesideIt() throws {
        #expect(try rows("mono", 1, channels: 6) == [[0], [0], [1], [0], [0], [0]])
        #expect(try rows("mono", 1, channels: 4) == [[Self.root], [Self.root], [0], [0]])
        #expect(try rows("stereo", 2, channels: 8).prefix(3) == [[1, 0], [0, 1], [0, 0]])
        // The side channels of 5.1(side) are the back ones of 5.1.
        let back = try rows("5.1(side)", 6, channels: 6)
        #expect(back.count == 6)
        for row in back.indices {
            let alone: [Double] = (0..<6).map { $0 == row ? 1 : 0 }
            #expect(back[row] == alone)
        }
        // 7.1 in 5.1: side and back together, each 3 dB lower, and nothing can clip.
        let seven = try rows("7.1", 8, channels: 6)
        let (one, root): (Double, Double) = (1 / (1 + Self.root), Self.root / (1 + Self.root))
        #expect(seven[0] == [one, 0, 0, 0, 0, 0, 0, 0])
        #expect(seven[3][3] == one)
        #expect(seven[4] == [0, 0, 0, 0, one, 0, root, 0])
        // The centre of 5.1 is heard from both fronts of quad, its low frequencies nowhere.
        let quad = try rows("5.1", 6, channels: 4)
        #expect(quad[0] == [one, 0, root, 0, 0, 0])
        #expect(quad[2] == [0, 0, 0, 0, one, 0])
        #expect(try rows("6.1", 7, channels: 8)[4] == [0, 0, 0, 0, Self.root, 0, 0])
    }

    /// Every layout, every channel at full scale: never above 1. And left and right are treated alike.
    @Test(arguments: [
        "mono", "stereo", "2.1", "3.0", "3.0(back)", "4.0", "quad", "quad(side)", "3.1", "5.0", "5.0(side)", "4.1",
        "5.1",
        "5.1(side)", "6.0", "6.0(front)", "hexagonal", "6.1", "6.1(back)", "6.1(front)", "7.0", "7.0(front)", "7.1",
        "7.1(wide)", "7.1(wide-side)", "octagonal", "downmix",
    ])
    func nothingCanClip(layout: String) throws {
        let known = try #require(
            (1...8).compactMap { count in
                ChannelLayout(description: layout, count: count).flatMap { $0.isNamed(layout) ? $0 : nil }
            }.first
        )
        let stereo = ChannelMatrix(from: known, channels: 2).rows
        #expect(stereo.allSatisfy { $0.reduce(0, +) <= 1 + 1e-15 })
        #expect(stereo[0].sorted() == stereo[1].sorted())
        #expect(ChannelMatrix(from: known, channels: 1).rows[0].reduce(0, +) <= 1 + 1e-15)
        for channels in 3...8 {
            let rows = ChannelMatrix(from: known, channels: channels).rows
            #expect(rows.count == channels && rows.allSatisfy { $0.reduce(0, +) <= 1 + 1e-15 })
            #expect(rows[0].sorted() == rows[1].sorted())
            // Nothing but low frequencies is lost.
            for (column, speaker) in known.speakers.enumerated() where speaker != "LFE" {
                #expect(rows.contains { $0[column] > 0 }, "\(speaker) in \(channels)")
            }
        }
    }

    @Test func layoutsAreFoundByNameListAndCount() {
        #expect(ChannelLayout(description: "FL+FR+LFE", count: 3)?.speakers == ["FL", "FR", "LFE"])
        #expect(ChannelLayout(description: "2 channels (FR+FL)", count: 2)?.speakers == ["FR", "FL"])
        #expect(ChannelLayout(description: "1 channels (FL)", count: 1)?.speakers == ["FL"])
        #expect(ChannelLayout(description: "6 channels", count: 6)?.speakers == ["FL", "FR", "FC", "LFE", "BL", "BR"])
        #expect(ChannelLayout(description: "ambisonic 1", count: 4)?.speakers == ["FL", "FR", "FC", "BC"])
        #expect(ChannelLayout(description: "stereo", count: 6)?.speakers.count == 6)
        #expect(ChannelLayout(description: "22.2", count: 24) == nil)
    }
}

extension ChannelLayout {
    /// Whether this is what `name` itself means, not a guess by count.
    fileprivate func isNamed(_ name: String) -> Bool { ChannelLayout.named[name] == speakers }
}
