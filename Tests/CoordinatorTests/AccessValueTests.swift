import Foundation
import Testing

@testable import Coordinator

@Suite struct AccessValueTests {
    @Test func tokensAreKnownByTheirDigestOnly() throws {
        let token = "0123456789abcdef"
        let book = try TokenBook(
            text: "# farm\n\nanna view,submit \(token)\nbob worker sha256:\("another-token-of-bob".sha256.hex)\n"
        )
        #expect(book.principal(presenting: token) == Principal(owner: "anna", scopes: [.view, .submit]))
        #expect(book.principal(presenting: "another-token-of-bob")?.owner == "bob")
        #expect(book.principal(presenting: "another-token-of-boB") == nil)
        #expect(book.principal(presenting: "") == nil)
        // The digest itself opens nothing.
        #expect(book.principal(presenting: "sha256:" + "another-token-of-bob".sha256.hex) == nil)
        #expect(!"\(book)".contains(token))
    }

    @Test(arguments: [
        "", "# nobody\n", "anna view", "anna view short", "anna peek 0123456789abcdef", "anna view sha256:12",
        "a b c d",
        "anna view sha256:\(String(repeating: "x", count: 64))",
    ])
    func aBadTokenFileIsRefused(_ text: String) {
        #expect(throws: TokenBook.Refused.self) { try TokenBook(text: text) }
    }

    @Test func refusalsDoNotShowTheToken() {
        let twice = "anna view 0123456789abcdef\n# the same\nboss admin 0123456789abcdef"
        let repeated = #expect(throws: TokenBook.Refused.self) { try TokenBook(text: twice) }
        #expect(repeated?.description.hasPrefix("Line 3 of the token file repeats a token") == true)
        let error = #expect(throws: TokenBook.Refused.self) { try TokenBook(text: "anna peek very-secret-token-1") }
        #expect(error?.description.contains("very-secret") == false)
        #expect(error?.description.contains("Line 1") == true)
    }

    @Test func scopesInclude() {
        let admin = Principal(owner: "a", scopes: [.admin])
        let editor = Principal(owner: "e", scopes: [.submit])
        #expect(Scope.allCases.allSatisfy(admin.may))
        #expect(editor.may(.view) && editor.may(.submit) && !editor.may(.worker) && !editor.may(.admin))
        #expect(editor.mayChange(ownedBy: "e") && !editor.mayChange(ownedBy: "x") && admin.mayChange(ownedBy: "x"))
        #expect(!Principal(owner: "v", scopes: [.view]).mayChange(ownedBy: "v"))
    }

    @Test func sessionsAreSignedAndEnd() throws {
        let book = try TokenBook(text: "anna view 0123456789abcdef")
        let secret = Data(repeating: 7, count: 32)
        let signer = SessionSigner(tokens: book, secret: secret)
        let anna = Principal(owner: "anna", scopes: [.view])
        let cookie = try signer.cookie(for: anna, now: 1000)
        #expect(signer.session(of: cookie, now: 1000)?.principal == anna)
        #expect(signer.session(of: cookie, now: 1000 + SessionSigner.lifetimeSeconds)?.principal == nil)
        #expect(
            SessionSigner(tokens: book, secret: secret).session(of: cookie, now: 2000)?.principal == anna,
            "after a restart"
        )
        let others = SessionSigner(tokens: try TokenBook(text: "anna view 0123456789abcdeX"), secret: secret)
        #expect(others.session(of: cookie, now: 1000)?.principal == nil, "the tokens were changed")
        // Who knows the tokens' digests, and all of this program, still lacks the farm's secret.
        let forger = SessionSigner(tokens: book, secret: Data(repeating: 0, count: 32))
        #expect(signer.session(of: try forger.cookie(for: anna, now: 1000), now: 1000)?.principal == nil)
        for position in cookie.indices {
            var forged = cookie
            forged.replaceSubrange(position...position, with: cookie[position] == "0" ? "1" : "0")
            #expect(signer.session(of: forged, now: 1000)?.principal == nil)
        }
        #expect(signer.antiForgeryToken(for: cookie) != String(cookie.split(separator: ".")[1]))
    }

    @Test(arguments: [
        ("cut.mp4", "attachment; filename=\"cut.mp4\"; filename*=UTF-8''cut.mp4"),
        ("a \"b\"\r\nX: y", "attachment; filename=\"a _b___X: y\"; filename*=UTF-8''a%20%22b%22__X%3A%20y"),
        ("../etc/passwd", "attachment; filename=\"_etc_passwd\"; filename*=UTF-8''_etc_passwd"),
        ("Grüße.mp4", "attachment; filename=\"Gr__e.mp4\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp4"),
        ("", "attachment; filename=\"output\"; filename*=UTF-8''output"),
    ])
    func downloadNames(_ name: String, _ header: String) {
        #expect(ContentDisposition.attachment(name) == header)
    }
}
