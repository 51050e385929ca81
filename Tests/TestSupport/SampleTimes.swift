/// Times as texts: for the reader of times, and for the schema that describes what it reads.
package enum SampleTimes {
    /// Texts that are times, each with its seconds at 25 fps as a fraction.
    package static let forms: [(String, Int64, Int64)] = [
        ("0s", 0, 1), ("2.5s", 5, 2), ("-2.5s", -5, 2), ("150ms", 3, 20), ("0.1ms", 1, 10_000),
        ("1001/30000", 1001, 30_000),
        ("-1/2", -1, 2), ("4/2", 2, 1), ("15f", 3, 5), ("-15f", -3, 5), ("00:00:01:12", 37, 25),
        ("48000@44100", 160, 147),
        ("0.333333333s", 333_333_333, 1_000_000_000), ("007s", 7, 1), ("9223372036854775807s", .max, 1),
    ]

    /// Texts that are no times, each with what is suggested in its place.
    package static let wrong: [(String, String?)] = [
        ("", nil), ("2.5", "\"2.5s\""), ("15", "\"15s\""), (".5s", "\"0.5s\""), ("2.5S", "\"2.5s\""), ("2 s", "\"2s\""),
        ("15 frames", "\"15f\""), ("3 sec", "\"3s\""), ("2.s", nil), ("s", nil), ("1.5f", nil), ("1e3s", nil),
        ("+1s", nil),
        ("1/0", nil), ("1/-2", nil), ("1:02", nil), ("00:00:01", nil), ("0:00:01:12", "\"00:00:01:12\""),
        ("00:00;01;12", nil),
        ("00:00:1:12", nil), ("-00:00:01:12", nil), ("1@0", nil), ("-1@44100", nil), ("#", nil), ("#-1", nil),
        ("#1.5", nil),
        ("7m", "\"420s\""), ("2 h", "\"7200s\""), ("٣s", nil), ("1\u{301}s", nil), ("NaN", nil), ("infs", nil),
        ("--1s", nil), ("1/2s", nil), ("1.2.3s", nil), ("-s", nil), ("ms", nil),
        ("99999999999999999999/\u{301}", nil), ("99999999999999999999@\u{301}", nil),
    ]
}
