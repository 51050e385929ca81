import Coordinator

/// Tokens that live as long as one run, in the memory of this process.
struct RunTokens: Sendable {
    /// The token of the command itself.
    let user = RunTokens.secret()
    /// The token of the workers.
    let worker = RunTokens.secret()

    /// The tokens as the coordinator knows them.
    /// - Throws: `TokenBook.Refused`, which lines of this form do not cause.
    func book() throws -> TokenBook {
        try TokenBook(text: "local view,submit,admin \(user)\nlocal worker \(worker)\n")
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        // Without the top bit a number may have fewer than 13 digits, and the token fewer than a token has to have.
        return (0..<4).map { _ in String(generator.next() | 1 << 63, radix: 36) }.joined()
    }
}
