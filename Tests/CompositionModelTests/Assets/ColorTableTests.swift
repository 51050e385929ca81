import Testing

@testable import CompositionModel

@Suite struct ColorTableTests {
    private func table(_ text: String) throws -> ColorTable { try ColorTable(bytes: Array(text.utf8)) }

    private func failure(_ text: String) -> ColorTable.Unreadable? {
        do throws(ColorTable.Unreadable) {
            _ = try ColorTable(bytes: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private let corners = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

    @Test func aCubeIsRead() throws {
        let text = """
            # made by hand

            TITLE "Warm  evening"
            DOMAIN_MIN 0 -0.5 0
            DOMAIN_MAX 1 2 1e0
            LUT_3D_SIZE 2
            # the points
            """
        let found = try table(text + "\n" + corners)
        #expect(found.title == "Warm evening")
        #expect((found.dimensions, found.size) == (3, 2))
        #expect(found.domainMin == [0, -0.5, 0] && found.domainMax == [1, 2, 1])
        #expect(found.values.count == 24 && Array(found.values[3..<6]) == [1, 0, 0])
        #expect(found.facts == ColorTableFacts(dimensions: 3, size: 2, title: "Warm evening"))
        #expect(found.facts.words == "2 × 2 × 2 points")
    }

    /// Lines may end as on any system, the last one too; numbers may be written in any way.
    @Test(arguments: ["\n", "\r\n", "\r"]) func linesEndInAnyWay(end: String) throws {
        let text = "LUT_1D_SIZE 3\n\t0 0 0 \n1.5E-1 .5 +0.25\n1 1e+0 -1e-3"
        let found = try table(text.replacing("\n", with: end))
        #expect(found.values == [0, 0, 0, 0.15, 0.5, 0.25, 1, 1, -0.001])
        #expect((found.dimensions, found.size, found.title) == (1, 3, nil))
    }

    @Test(arguments: [2, 17, 33, 65]) func cubesOfAnySizeAreRead(size: Int) throws {
        let count = size * size * size
        let text = "LUT_3D_SIZE \(size)\n" + String(repeating: "0.25 0.5 0.75\n", count: count)
        #expect(try table(text).values.count == 3 * count)
    }

    @Test func anInputRangeIsADomain() throws {
        let found = try table("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE -1 2.5\n" + corners)
        #expect(found.domainMin == [-1, -1, -1] && found.domainMax == [2.5, 2.5, 2.5])
    }

    @Test func whatIsWrongIsSaidWithItsLine() {
        let cases: [(String, Int, String)] = [
            ("LUT_3D_SIZE 2\n" + corners + "0 0 0\n", 10, "more than the 8 lines"),
            ("LUT_3D_SIZE 2\n0 0 0\n", 3, "after 1 of 8 lines"),
            ("LUT_3D_SIZE 2\n0 0 0\n\n# so\n0 0\n", 5, "three numbers are expected, found “0 0”"),
            ("LUT_3D_SIZE 2\n0 0 nan\n", 2, "three numbers are expected, found “0 0 nan”"),
            ("LUT_3D_SIZE 2\n0 0 0x1\n", 2, "three numbers"), ("LUT_3D_SIZE 2\n0 0 1e99\n", 2, "three numbers"),
            ("LUT_3D_SIZE 2\n0 0 0 0\n", 2, "found “0 0 0 0”"), ("LUT_3D_SIZE 1\n", 1, "from 2 to 129"),
            ("LUT_3D_SIZE 130\n", 1, "found “130”"), ("LUT_1D_SIZE 65537\n", 1, "from 2 to 65536"),
            ("LUT_3D_SIZE\n", 1, "found nothing"), ("LUT_3D_SIZE 2.5\n", 1, "whole number"),
            ("LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n", 2, "a second time"), ("0 0 0\n", 1, "LUT_3D_SIZE or LUT_1D_SIZE"),
            ("TITLE \"x\"\n", 2, "without LUT_3D_SIZE"), ("LUT_4D_SIZE 3\n", 1, "found “LUT_4D_SIZE 3”"),
            ("DOMAIN_MIN 0 0\n", 1, "three numbers are expected after DOMAIN_MIN"),
            ("LUT_1D_SIZE 2\nDOMAIN_MAX 0 1 1\n0 0 0\n1 1 1\n", 5, "DOMAIN_MAX must be above"),
        ]
        for (text, line, words) in cases {
            let found = failure(text)
            #expect(found?.line == line, "\(text): \(String(describing: found))")
            #expect(found?.message.contains(words) == true, "\(String(describing: found))")
        }
    }

    @Test func tablesAreKnownByTheirFirstWords() {
        let tables = [
            "LUT_3D_SIZE 2", "\n\n# a comment\r\nTITLE \"x\"", "DOMAIN_MIN 0 0 0", "0.1 0.2 0.3\n", "LUT_4D_SIZE",
            "\u{FEFF}LUT_1D_SIZE 4",
        ]
        for text in tables { #expect(ColorTable.isTable(Array(text.utf8)), "\(text)") }
        for text in ["", "# only a comment", "RIFF", "hello 1 2", "0 0 0 0", "{ \"schema\": 1 }"] {
            #expect(!ColorTable.isTable(Array(text.utf8)), "\(text)")
        }
        #expect(!ColorTable.isTable(Array("LUT_3D_SIZE 2\n\0".utf8)))
    }
}
