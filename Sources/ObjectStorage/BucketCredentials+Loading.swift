import Foundation

extension BucketCredentials {
    /// The reason why there are no usable keys.
    package struct Unusable: Error, Hashable, CustomStringConvertible {
        /// One sentence for the user, without any secret.
        package let description: String

        /// Says a reason.
        package init(_ description: String) { self.description = description }
    }

    /// The keys in the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, of temporary ones,
    /// `AWS_SESSION_TOKEN`.
    /// - Returns: nil when none of the first two is set.
    /// - Throws: ``Unusable`` when only one of them is.
    package init?(environment: [String: String]) throws(Unusable) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        switch (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY")) {
        case (nil, nil): return nil
        case (let accessKey?, let secret?):
            self.init(accessKey: accessKey, secretKey: secret, sessionToken: value("AWS_SESSION_TOKEN"))
        case (nil, _):
            throw Unusable("AWS_SECRET_ACCESS_KEY is set and AWS_ACCESS_KEY_ID is not; set both or none.")
        case (_, nil):
            throw Unusable("AWS_ACCESS_KEY_ID is set and AWS_SECRET_ACCESS_KEY is not; set both or none.")
        }
    }

    /// The most bytes that a file of keys has.
    private static let fileLimit = 1 << 20

    /// The keys in a file as the tools of AWS write it: sections such as `[default]`, and in them lines
    /// `aws_access_key_id = …`, `aws_secret_access_key = …` and perhaps `aws_session_token = …`. A relative `path` counts
    /// from the working folder; a link at its end is followed.
    /// - Parameter profile: the name of the section.
    /// - Throws: ``Unusable`` for a file that cannot be read, that others than its owner may read or write, or that does
    ///   not hold both keys in this section.
    package init(file path: String, profile: String = "default") throws(Unusable) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw Unusable("The file of keys \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Unusable("The file of keys \(path) is no regular file.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Unusable(
                "The file of keys \(path) may be used by others than its owner; run `chmod 600 \(path)`."
            )
        }
        guard let bytes = try? file.read(upToCount: Self.fileLimit + 1), bytes.count <= Self.fileLimit,
            let text = String(data: bytes, encoding: .utf8)
        else { throw Unusable("The file of keys \(path) is no text of at most 1 MiB.") }
        let values = Self.section(profile, of: text)
        guard let accessKey = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw Unusable(
                "The file of keys \(path) has no aws_access_key_id and aws_secret_access_key in [\(profile)]."
            )
        }
        self.init(accessKey: accessKey, secretKey: secret, sessionToken: values["aws_session_token"])
    }

    /// The lines `name = value` of a section; of a repeated name the last.
    private static func section(_ name: String, of text: String) -> [String: String] {
        var (values, isInside): ([String: String], Bool) = ([:], false)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("["), line.hasSuffix("]") {
                isInside = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces) == name
            } else if isInside, let sign = line.firstIndex(of: "="), !line.hasPrefix("#"), !line.hasPrefix(";") {
                let key = line[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
                let value = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
                values[key] = value.isEmpty ? nil : value
            }
        }
        return values
    }
}
