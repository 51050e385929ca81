import Curl
import Foundation
import Testing
import WireProtocol

@testable import Coordinator

/// Which addresses are fetched.
@Suite struct SourceRuleTests {
    private let rules = [
        "https://media.example.org/films", "https://other.example.org:8443/", "http://127.0.0.1:8080/a/", "s3://bucket",
        "s3://second/prefix/", "10.1.0.0/16", "https://[fd00::1]/",
    ]

    @Test(arguments: [
        "https://media.example.org/films", "https://media.example.org/films/a.mp4?token=1",
        "HTTPS://Media.Example.org/films/",
        "https://other.example.org:8443/x", "http://127.0.0.1:8080/a/b", "s3://bucket/a/b.mp4",
        "s3://second/prefix/a?b",
        "https://[fd00::1]/x",
    ])
    func isAllowed(address: String) throws { #expect(try SourceAllowList(rules).allows(SourceAddress(address))) }

    @Test(arguments: [
        "https://media.example.org/films-of-others/a.mp4", "https://media.example.org/",
        "http://media.example.org/films/a",
        "https://media.example.org:444/films/a", "https://media.example.org.evil.test/films/a",
        "https://other.example.org/x",
        "http://127.0.0.1:8080/ab", "http://127.0.0.1/a/b", "s3://bucket2/a", "s3://second/prefix2/a",
        "https://10.1.0.1/a",
        "https://media.example.org/Films/a",
    ])
    func isNotAllowed(address: String) throws { #expect(try !SourceAllowList(rules).allows(SourceAddress(address))) }

    /// What a server or another reader might take for another address is none.
    @Test(arguments: [
        "https://media.example.org/films/../secret", "https://media.example.org/films/%2e%2e/secret",
        "https://media.example.org/films/.%2E/secret", "https://media.example.org/films/..%2fsecret",
        "https://media.example.org/films/%5c..%5csecret", "https://media.example.org\\@evil.test/films/",
        "https://user@media.example.org/films/a", "https://media.example.org/films/a#b",
        "https://media.example.org/films/a b",
        "https://media.example.org/films/ü", "https:///films/a", "https://-/films", "ftp://media.example.org/films/a",
        "a.mp4",
        "https://media.example.org/films/%zz", "https://media.example.org/films/%00", "s3://bucket", "s3://bucket/",
        "https://",
        "https://media.example.org:443:80/films/a",
        // Some servers take off what stands behind a “;”, and some decode twice.
        "https://media.example.org/films/..;/secret", "https://media.example.org/films/..;a=b/secret",
        "https://media.example.org/films/%2e%2e%3b/secret", "https://media.example.org/films/%252e%252e/secret",
        "https://media.example.org/films/..%252fsecret", "https://media.example.org/films/%25252e./secret",
    ])
    func isNoAddress(address: String) { #expect(throws: Problem.self) { try SourceAddress(address) } }

    /// What is no way up is plain, however it is written.
    @Test(arguments: [
        "https://media.example.org/films/a;b.mp4", "https://media.example.org/films/100%25", "s3://bucket/a%2525b..c",
        "https://media.example.org/films/a%2520b.mp4", "https://media.example.org/films/...", "s3://bucket/..;/a",
    ])
    func isAnAddress(address: String) throws { #expect(try SourceAddress(address).text == address) }

    @Test(arguments: [
        ("https://a.test/b?key=1", "https://a.test/b"), ("s3://bucket/b?c", "s3://bucket/b?c"),
        ("HTTP://a.test?x", "http://a.test/"),
    ])
    func onlyItsPathIsShown(address: String, shown: String) throws {
        #expect(try SourceAddress(address).shown == shown)
    }

    @Test(arguments: [
        "https://media.example.org/?x", "media.example.org", "10.0.0.0/99", "ftp://a/", "s3://", "https://",
    ])
    func isNoRule(rule: String) { #expect(throws: SourceAllowList.Invalid.self) { try SourceAllowList([rule]) } }

    /// A server of an allowed name may not lead into the network behind the coordinator.
    @Test func theAddressConnectedToIsPublicOrNamed() throws {
        let list = try SourceAllowList(rules)
        func allows(_ text: String) throws -> Bool { list.allows(try #require(NetworkAddress(text))) }
        #expect(try allows("8.8.8.8") && allows("10.1.2.3") && allows("127.0.0.1") && allows("fd00::1"))
        #expect(try !allows("10.2.0.1") && !allows("127.0.0.2") && !allows("169.254.169.254") && !allows("fd00::2"))
        #expect(try !SourceAllowList([]).allows(SourceAddress("https://media.example.org/a")))
    }

    @Test(arguments: [
        ("/x", "https://a.test/x"), ("x?y", "https://a.test/b/x?y"), ("//c.test/x", "https://c.test/x"),
        ("https://c.test/", "https://c.test/"), ("HTTPS://c.test/x", "https://c.test/x"),
        ("?y", "https://a.test/b/c?y"),
        ("", "https://a.test/b/c?d"), ("#e", "https://a.test/b/c?d"), ("x#e", "https://a.test/b/x"),
        ("./x", "https://a.test/b/x"),
        ("../x", "https://a.test/x"), ("../../x", "https://a.test/x"), ("..", "https://a.test/"),
        ("x/../y/", "https://a.test/b/y/"),
        ("/x/./../y?z=../w", "https://a.test/y?z=../w"),
        ("x?u=https://c.test/", "https://a.test/b/x?u=https://c.test/"),
        (".", "https://a.test/b/"),
    ])
    func aRedirectIsFollowedFromWhereItStands(location: String, target: String) throws {
        #expect(try SourceAddress("https://a.test/b/c?d").following(location).text == target)
    }

    @Test func aKeyIsDecoded() throws {
        let address = try SourceAddress("s3://bucket/a%20b/%C3%BC.mp4")
        #expect(address.host == "bucket" && address.key == "a b/ü.mp4")
    }
}
