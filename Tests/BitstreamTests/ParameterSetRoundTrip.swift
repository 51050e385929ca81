import Bitstream
import Testing

extension ParameterSet {
    /// What a NAL unit holds, once it was written as it was read and read again; nil where it cannot be read.
    /// - Throws: when it can be read and not be written.
    static func roundTrip(_ nal: ArraySlice<UInt8>) throws -> Self? {
        guard let set = try? Self(nal) else { return nil }
        let written = try set.nal()
        #expect(written == Canonical.nal(nal))
        #expect(try Self(written[...]) == set)
        return set
    }
}
