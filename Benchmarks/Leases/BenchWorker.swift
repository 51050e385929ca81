import Foundation
import WireProtocol

/// A worker that renders nothing: it asks for work, renews its lease every 0.75 s, completes its task after 3 to 6 s with a
/// part that was rendered before, and asks again.
final class BenchWorker {
    enum Step: String, CaseIterable { case register, poll, heartbeat, complete }

    /// What all workers share.
    struct Settings {
        /// The JSON of a registration without its name, and of a completion without its worker; both without the brace that
        /// opens them.
        let registration: String
        let part: String
    }

    /// The milliseconds between two renewals.
    private static let renewal = 750.0

    let exchange: HTTPExchange
    private let number: Int
    private let settings: Settings
    private var random: SystemRandomNumberGenerator
    private(set) var step = Step.register
    private(set) var isWaiting = false
    /// When the request was sent, and when the next is due, in milliseconds.
    private var sent = 0.0
    private(set) var due = 0.0
    private var worker = ""
    private var attempt: String?
    private var completesAt = 0.0

    init(number: Int, exchange: HTTPExchange, settings: Settings) {
        (self.number, self.exchange, self.settings) = (number, exchange, settings)
        random = SystemRandomNumberGenerator()
    }

    /// Sends the request that is due.
    /// - Throws: ``HTTPExchange/Failed``.
    func act(at now: Double) throws(HTTPExchange.Failed) {
        (isWaiting, sent) = (true, now)
        guard !worker.isEmpty else {
            return try exchange.post("/v1/workers", "{\"name\":\"bench-\(number)\",\(settings.registration)")
        }
        guard let attempt else {
            step = .poll
            let poll = PollID(milliseconds: UInt64(now), using: &random)
            let wish = "\"kinds\":[\"picture\"],\"capacity\":1,\"waitMilliseconds\":30000"
            return try exchange.post("/v1/leases:poll", "{\"worker\":\"\(worker)\",\"poll\":\"\(poll)\",\(wish)}")
        }
        if now >= completesAt {
            step = .complete
            return try exchange.post("/v1/attempts/\(attempt)/complete", "{\"worker\":\"\(worker)\",\(settings.part)")
        }
        step = .heartbeat
        let permille = max(0, min(999, Int(1000 - (completesAt - now) / 5)))
        let body = "{\"attempts\":[{\"attempt\":\"\(attempt)\",\"permille\":\(permille)}]}"
        try exchange.post("/v1/workers/\(worker)/heartbeat", body)
    }

    /// Takes what has come of the answer.
    /// - Returns: the milliseconds since the request, once the answer is whole, and what is wrong with it.
    /// - Throws: ``HTTPExchange/Failed``.
    func receive(at now: Double) throws(HTTPExchange.Failed) -> (took: Double, error: String?)? {
        guard let answer = try exchange.receive() else { return nil }
        isWaiting = false
        let isExpected = answer.status == (step == .register ? 201 : 200)
        let error = isExpected ? follow(answer.body, at: now) : "\(step): \(answer.status) \(answer.body.prefix(300))"
        if !isExpected { (attempt, due) = (nil, now + 500) }
        if answer.closes {
            exchange.close()
            try exchange.open()
        }
        return (now - sent, error)
    }

    /// - Returns: what is wrong.
    private func follow(_ body: String, at now: Double) -> String? {
        switch step {
        case .register: (worker, due) = (Self.value(of: "worker", in: body) ?? "", now)
        case .poll:
            attempt = Self.value(of: "attempt", in: body)
            completesAt = now + Double.random(in: 3000...6000, using: &random)
            due = attempt == nil ? now + 500 : min(now + Self.renewal, completesAt)
        case .heartbeat:
            due = min(now + Self.renewal, completesAt)
            guard body.contains("\"lost\":[]") else {
                (attempt, due) = (nil, now)
                return "a lease was lost"
            }
        case .complete: (attempt, due) = (nil, now)
        }
        return nil
    }

    /// The first text of a name in JSON without spaces.
    private static func value(of name: String, in json: String) -> String? {
        guard let start = json.range(of: "\"\(name)\":\"")?.upperBound else { return nil }
        return json[start...].firstIndex(of: "\"").map { String(json[start..<$0]) }
    }
}
