import Foundation
import TestSupport
import Testing

@testable import ObjectStorage

@Suite struct CredentialsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = folder.path("keys")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func refusal(_ path: String, profile: String = "default") -> String? {
        do {
            _ = try BucketCredentials(file: path, profile: profile)
            return nil
        } catch { return error.description }
    }

    private static let text = """
        # comment = no
        [default]
        aws_access_key_id = AKID
        AWS_SECRET_ACCESS_KEY=secret=with=signs
        [ other ]
        aws_access_key_id = OTHER
        aws_secret_access_key = other-secret
        aws_session_token = other-token
        """

    @Test func aFileHasKeysByProfile() throws {
        let path = try file(Self.text)
        let keys = try BucketCredentials(file: path)
        #expect(keys.accessKey == "AKID" && keys.sessionToken == nil)
        let other = try BucketCredentials(file: path, profile: "other")
        #expect(other.accessKey == "OTHER" && other.sessionToken == "other-token")
        #expect(refusal(path, profile: "none")?.contains("in [none]") == true)
    }

    @Test(arguments: [0o640, 0o604, 0o620]) func aFileOfOthersIsRefused(mode: Int) throws {
        let path = try file(Self.text, mode: mode)
        #expect(refusal(path)?.contains("chmod 600") == true)
    }

    @Test func whatIsNoFileIsRefused() throws {
        #expect(refusal(folder.path("none"))?.contains("cannot be read") == true)
        #expect(refusal(folder.path("."))?.contains("no regular file") == true)
    }

    @Test func theEnvironmentHasBothKeysOrNone() throws {
        #expect(try BucketCredentials(environment: [:]) == nil)
        #expect(try BucketCredentials(environment: ["AWS_ACCESS_KEY_ID": ""]) == nil)
        let keys = try BucketCredentials(
            environment: ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B", "AWS_SESSION_TOKEN": "C"]
        )
        #expect(keys?.accessKey == "A" && keys?.sessionToken == "C")
        #expect(throws: BucketCredentials.Unusable.self) {
            try BucketCredentials(environment: ["AWS_ACCESS_KEY_ID": "A"])
        }
        #expect(throws: BucketCredentials.Unusable.self) {
            try BucketCredentials(environment: ["AWS_SECRET_ACCESS_KEY": "A"])
        }
    }

    /// However they are printed, the secret is not.
    @Test func theSecretIsNotShown() {
        let keys = BucketCredentials(accessKey: "AKID", secretKey: "hidden", sessionToken: "covered")
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped, "\([keys])", "\(Optional(keys) as Any)"] {
            #expect(text.contains("AKID") && !text.contains("hidden") && !text.contains("covered"))
        }
    }

    @Test(arguments: ["ab", "Upper", "a..b", "-ab", "ab.", "a/b", "a b", String(repeating: "a", count: 64)])
    func isNoBucket(name: String) { #expect(throws: BucketLocation.Invalid.self) { try BucketLocation(bucket: name) } }

    @Test(arguments: ["ftp://host", "host", "https://user@host", "https://host/path", "https://host?x", "https://"])
    func isNoEndpoint(endpoint: String) {
        #expect(throws: BucketLocation.Invalid.self) { try BucketLocation(bucket: "bucket", endpoint: endpoint) }
    }
}
