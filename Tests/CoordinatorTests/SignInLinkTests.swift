import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

@Suite struct SignInLinkTests {
    @Test func aLinkSignsInOnce() async throws {
        let links = SignInLinks(tokens: try TokenBook(text: RunningCoordinator.tokens))
        try await withCoordinator { configuration, _ in
            configuration.signInLinks = links
        } _: { farm in
            let link = try #require(links.make())
            let answer = try await farm.call("GET", link, as: nil)
            #expect(answer.status == 303 && answer.headers["location"] == "/")
            let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first).description
            #expect(answer.headers["set-cookie"]?.contains("HttpOnly") == true)
            let session = try await farm.call("GET", "/v1/session", as: nil, headers: ["Cookie: \(cookie)"])
            #expect(session.status == 200 && session.text.contains(#""owner":"boss""#), "\(session.text)")
            let again = try await farm.call("GET", link, as: nil)
            #expect(again.status == 410 && again.code == "link_used" && again.headers["set-cookie"] == nil)
            let page = try await farm.call("GET", link, as: nil, headers: ["Accept: text/html,*/*;q=0.8"])
            #expect(page.status == 303 && page.headers["location"] == "/#link-used")
            #expect(page.headers["set-cookie"] == nil)
        }
    }

    @Test func anOldOrInventedLinkDoesNothing() async throws {
        let time = Mutex(Date(timeIntervalSince1970: 1_000_000))
        let links = SignInLinks(tokens: try TokenBook(text: RunningCoordinator.tokens)) { time.withLock(\.self) }
        let code = try #require(links.make()).dropFirst(SignInLinks.path.count).description
        #expect(links.use(String(repeating: "0", count: 64)) == nil && links.use("") == nil)
        time.withLock { $0 += TimeInterval(SignInLinks.lifetimeSeconds) }
        #expect(links.use(code) == nil)
        time.withLock { $0 -= 60 }
        #expect(links.use(code) == nil, "it was forgotten")
    }

    @Test func withoutLinksNothingIsThere() async throws {
        try await withCoordinator { farm in
            let answer = try await farm.call("GET", "/signin/" + String(repeating: "0", count: 64), as: nil)
            #expect(answer.status == 410)
        }
    }

    @Test func aWorkersTokenMakesNoLink() throws {
        #expect(SignInLinks(tokens: try TokenBook(text: "farm worker worker-token-000000")).make() == nil)
        let some = SignInLinks(tokens: try TokenBook(text: "f worker worker-token-000000\nv view viewer-token-000000"))
        let code = try #require(some.make()).dropFirst(SignInLinks.path.count).description
        #expect(some.use(code)?.owner == "v")
    }
}
