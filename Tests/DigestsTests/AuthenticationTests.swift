import Digests
import Foundation
import Testing

@Suite struct AuthenticationTests {
    /// RFC 4231, cases 1, 2 and 6 (a key that is longer than a block).
    @Test(arguments: [
        (
            Data(repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Data("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Data(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (Data(), "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]) func knownCodes(_ key: Data, _ message: String, _ code: String) {
        #expect(hexDigits(AuthenticationKey(key).code(for: Data(message.utf8))) == code)
    }

    @Test func secretsAreComparedWhole() {
        #expect(isEqualSecret(Data(), Data()))
        #expect(isEqualSecret(Data("token".utf8), Data("token".utf8)))
        #expect(!isEqualSecret(Data("token".utf8), Data("tokem".utf8)))
        #expect(!isEqualSecret(Data("token".utf8), Data("toke".utf8)))
        #expect(!isEqualSecret(Data("toke".utf8), Data("token".utf8)))
        #expect(!isEqualSecret(Data("token".utf8), Data()))
    }
}
