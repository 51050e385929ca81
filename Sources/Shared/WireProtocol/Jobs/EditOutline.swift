package import CompositionModel

/// The answer to `POST /v1/edits:read`: what has to be there before an edit can be submitted.
package struct EditOutline: Sendable, Hashable, Codable {
    /// An entry of the edit's `assets`.
    package struct Asset: Sendable, Hashable, Codable {
        /// The entry's name.
        package var name: String
        /// The path of its file as the edit writes it; nil when it is no file by itself.
        package var path: String?
        /// The digest, when the edit names the asset by it; else nil.
        package var digest: ContentDigest?
        /// The kind of entry that only the command line brings to the farm, such as `image sequence`; else nil.
        package var localOnly: String?

        package init(name: String, path: String? = nil, digest: ContentDigest? = nil, localOnly: String? = nil) {
            self.name = name
            self.path = path
            self.digest = digest
            self.localOnly = localOnly
        }
    }

    /// The assets by name.
    package var assets: [Asset]
    /// What only the command line brings beside assets, such as `fonts`; empty when there is nothing.
    package var localOnly: [String]
    /// The presets of the edit's outputs; each becomes a job.
    package var outputs: [String]
    /// What is wrong with the text, as far as that can be told without the media.
    package var findings: [Finding]

    package init(assets: [Asset], localOnly: [String], outputs: [String], findings: [Finding]) {
        self.assets = assets
        self.localOnly = localOnly
        self.outputs = outputs
        self.findings = findings
    }
}

/// The body of `POST /v1/edits:read`.
package struct EditText: Sendable, Hashable, Codable {
    /// The edit as the user wrote it.
    package var editText: String
    /// The name of its file, for findings; nil when it has none.
    package var fileName: String?

    package init(editText: String, fileName: String? = nil) {
        self.editText = editText
        self.fileName = fileName
    }
}
