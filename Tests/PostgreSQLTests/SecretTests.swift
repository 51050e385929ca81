import PostgreSQL
import Testing

@Suite struct SecretTests {
    @Test func secretsPrintAsDots() {
        let secret = Secret("hush")
        #expect("\(secret) \(String(reflecting: secret)) \(["a": secret]) \([secret])".contains("hush") == false)
        #expect(secret.reveal() == "hush")
    }
}
