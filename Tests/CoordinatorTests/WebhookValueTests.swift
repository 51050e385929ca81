import Curl
import Foundation
import Testing
import WireProtocol

@testable import Coordinator

/// Where webhooks may go, how they are signed, and when they are sent again.
@Suite struct WebhookValueTests {
    @Test(arguments: [
        ("8.8.8.8", true), ("1.1.1.1", true), ("10.0.0.1", false), ("127.0.0.1", false), ("0.0.0.0", false),
        ("169.254.169.254", false), ("172.16.0.1", false), ("172.32.0.1", true), ("192.168.1.1", false),
        ("100.64.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false), ("2606:4700::1111", true),
        ("::1", false),
        ("::", false), ("fe80::1%eth0", false), ("fd00::1", false), ("::ffff:127.0.0.1", false),
        ("::ffff:8.8.8.8", true), ("2002:7f00:1::", false), ("64:ff9b::7f00:1", false), ("2001:db8::1", false),
    ]) func addressesOfThePublicInternet(text: String, isPublic: Bool) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == isPublic)
    }

    @Test func namesLeadToPublicAddressesOnly() throws {
        let list = try WebhookAllowList(["hooks.example.com", "*.example.org", "10.1.0.0/16", "fd00::/8"])
        func allows(_ address: String, _ host: String) -> Bool {
            NetworkAddress(address).map { list.allows($0, of: host) } ?? false
        }
        #expect(allows("8.8.8.8", "hooks.example.com") && allows("8.8.8.8", "a.b.example.org"))
        #expect(
            !allows("8.8.8.8", "example.org") && !allows("8.8.8.8", "badexample.org") && !allows("8.8.8.8", "x.com")
        )
        #expect(!allows("127.0.0.1", "hooks.example.com") && !allows("192.168.0.1", "hooks.example.com"))
        #expect(allows("10.1.255.255", "anything.internal") && allows("fd12::1", "hooks.example.com"))
        #expect(!allows("10.2.0.0", "hooks.example.com") && !allows("::ffff:10.2.0.0", "hooks.example.com"))
        #expect(allows("::ffff:10.1.0.7", "hooks.example.com"), "an IPv4 address in another form")
    }

    @Test(arguments: [
        ("https://hooks.example.com/a?b=c", true), ("http://hooks.example.com:8080", true), ("https://10.1.2.3/", true),
        ("https://10.2.2.3/", false), ("https://[::1]/", false), ("ftp://hooks.example.com/", false),
        ("https://user:word@hooks.example.com/", false), ("hooks.example.com", false), ("https:///a", false),
        ("https://hooks.example.com:65536/", false), ("https://hooks.example.com:0/", false),
        ("https://hooks.example.com:65535/", true), ("https://hooks.example.com/#a", false), ("", false),
        ("file:///etc/passwd", false),
    ]) func addressesOfWebhooks(url: String, isAllowed: Bool) throws {
        let list = try WebhookAllowList(["hooks.example.com", "10.1.0.0/16"])
        #expect((list.complaint(about: url) == nil) == isAllowed, "\(list.complaint(about: url) ?? "")")
        #expect(WebhookAllowList.none.complaint(about: url)?.contains("--webhook-allow") == true)
        let named = try WebhookAllowList(["hooks.example.com"])
        #expect(named.complaint(about: "https://other.example.com/") != nil)
    }

    @Test(arguments: ["https://a.com", "a b", "10.0.0.0/33", "*", "a.*", "", "a..b", "10.0.0/8"])
    func otherEntriesAreRefused(entry: String) {
        let refused = #expect(throws: WebhookAllowList.Refused.self) { try WebhookAllowList([entry]) }
        #expect(refused?.description.contains("“\(entry)” is no host") == true)
    }

    /// The example of Standard Webhooks' libraries (their tests, “sign function works”).
    @Test func signaturesAreThoseOfTheStandard() throws {
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let key = WebhookSignature.code("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{\"test\": 2432232314}", secret)
        #expect(key == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let id = WebhookMessageID(uuid: UUID())
        let header = WebhookSignature.header(id, seconds: 7, body: "{}", secrets: [secret, secret])
        let one = "v1," + WebhookSignature.code("\(id).7.{}", secret)
        #expect(header == "\(one) \(one)")
    }

    /// Over about a day, ever more seldom.
    @Test func waitsGrowToADay() {
        let waits = WebhookBackoff.waits
        #expect(waits == waits.sorted() && (86_000...90_000).contains(waits.reduce(0, +)))
        #expect(WebhookBackoff.wait(afterAttempts: 1) == 5000 && WebhookBackoff.wait(afterAttempts: 13) == nil)
    }
}
