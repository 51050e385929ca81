import Digests
import Foundation
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4's examples and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]) func knownDigests(_ text: String, _ hex: String) {
        #expect(hexDigits(SHA256.hash(Data(text.utf8))) == hex)
    }

    @Test func piecesOfAnySizeGiveTheDigestOfTheWhole() {
        let whole = Data(repeating: 0x61, count: 1_000_000)
        for size in [1, 63, 64, 65, 4096, 999_999, 1_000_000] {
            var hash = SHA256()
            for start in stride(from: 0, to: whole.count, by: size) {
                hash.update(whole[start..<min(start + size, whole.count)])
                hash.update(UnsafeRawBufferPointer(start: nil, count: 0))
            }
            #expect(
                hexDigits(hash.digest()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                "\(size)"
            )
        }
    }

    @Test func aDigestEndsNothingAndCopiesGoTheirOwnWays() {
        var hash = SHA256()
        hash.update(Data("a".utf8))
        #expect(hash.digest() == SHA256.hash(Data("a".utf8)))
        var other = hash
        hash.update(Data("bc".utf8))
        other.update(Data("x".utf8))
        #expect(hash.digest() == SHA256.hash(Data("abc".utf8)))
        #expect(other.digest() == SHA256.hash(Data("ax".utf8)))
    }

    @Test func threadsHashAtTheSameTime() async {
        let expected = SHA256.hash(Data(repeating: 7, count: 100_000))
        await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 { group.addTask { SHA256.hash(Data(repeating: 7, count: 100_000)) } }
            for await digest in group { #expect(digest == expected) }
        }
    }
}

func hexDigits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
