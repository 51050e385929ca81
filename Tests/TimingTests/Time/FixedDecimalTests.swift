import Testing

@testable import Timing

@Suite struct FixedDecimalTests {
    static let numbers: [(String, Int64, String)] = [
        ("0", 0, "0"), ("-0", 0, "0"), ("2", 2_000_000, "2"), ("-14", -14_000_000, "-14"), ("0.2", 200_000, "0.2"),
        ("-0.25", -250_000, "-0.25"), ("1.5e-3", 1500, "0.0015"), ("1.5E+3", 1_500_000_000, "1500"),
        ("0.0000005", 1, "0.000001"), ("-0.0000005", -1, "-0.000001"), ("0.00000049", 0, "0"), ("1e-400", 0, "0"),
        ("-13.979400086720376", -13_979_400, "-13.9794"), ("0e999", 0, "0"),
        ("9223372036854.775807", .max, "9223372036854.775807"),
        ("100000000000000000000000000000000e-32", 1_000_000, "1"),
        ("100000000000000000000000000000000000000e-44", 1, "0.000001"),
        // More places than 128 bits hold.
        ("0.3333333333333333333333333333333333333333333", 333_333, "0.333333"),
        ("-0.0000004999999999999999999999999999999999999", 0, "0"),
        ("0.1234567890123456789012345678901234567890123e2", 12_345_679, "12.345679"),
        ("4.999999999999999999999999999999999999999999e-7", 0, "0"),
        ("5.000000000000000000000000000000000000000001e-7", 1, "0.000001"),
    ]

    @Test(arguments: numbers) func areRoundedToMillionths(text: String, millionths: Int64, printed: String) throws {
        let number = try FixedDecimal(text)
        #expect(number?.millionths == millionths)
        #expect(number?.description == printed)
    }

    @Test(arguments: ["", "-", "1.", ".5", "+1", "1e", "1e+", "0x10", "1,5", "NaN", "1e2e3", "1.2.3"])
    func refusesWhatIsNoDecimal(text: String) throws {
        #expect(try FixedDecimal(text) == nil)
    }

    @Test(arguments: [
        "9223372036854.775808", "1e40", "1e999999999999999999999", "1000000000000000000000000000000000000000",
        "100000000000000000000000000000000000000e-50",
    ]) func whatDoesNotFitIsAnError(text: String) {
        #expect(throws: TimeError.overflow) { try FixedDecimal(text) }
    }
}
