import Foundation

/// Tokens that live as long as one run, in files that only this user can read.
struct RunTokens: Sendable {
    /// The path of the coordinator's token file.
    let file: String
    /// The path of the file with the workers' token.
    let workerFile: String
    /// The token of the command itself.
    let user: String

    /// Draws the tokens and writes the files.
    /// - Throws: ``CommandFailure`` when they cannot be written.
    init(in folder: String) throws {
        user = RunTokens.secret()
        let worker = RunTokens.secret()
        file = folder + "/tokens"
        workerFile = folder + "/worker-token"
        try RunTokens.write("local view,submit,admin \(user)\nlocal worker \(worker)\n", to: file)
        try RunTokens.write(worker, to: workerFile)
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(generator.next(), radix: 36) }.joined()
    }

    private static func write(_ text: String, to path: String) throws {
        let made = FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard made else { throw CommandFailure(.noSpace, "\(path) cannot be written; is there space?") }
    }
}
