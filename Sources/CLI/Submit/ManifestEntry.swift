import Foundation

/// The content of one line of `submit --manifest`.
struct ManifestEntry: Sendable {
    var edit: String
    /// Whether ``edit`` is a media file, of which the whole is shown.
    var isMedia = false
    /// The output, or else the edit, as the line of a manifest writes it: it names the line when the manifest is
    /// submitted again, by whatever path. Nil where there is no manifest.
    var writtenName: String?
    /// The day that `{date}` in ``to`` means; nil is today.
    var day: Date?
    /// The files that take the place of the edit's assets, as `name=path`, in place of the command's.
    var assets: [String] = []
    /// The file of the movie, or a folder that exists; nil when the line names none.
    var output: String?
    /// Where the coordinator puts the movie by itself: a target, or a folder of it that ends with a slash; nil uses the
    /// command's.
    var to: String?
    /// Whether the coordinator replaces a file that is there; nil uses the command's.
    var replace: Bool?
    /// The preset that replaces the edit's outputs; nil uses the command's.
    var preset: String?
    /// The asset that the preset `match` follows; nil lets the preset choose. It means that preset where the line names
    /// none.
    var match: String?
    /// Whether coded pictures that nothing touches are copied; nil uses the command's.
    var smart: Bool?
    /// The priority of the line's jobs; nil uses the command's.
    var priority: Int?
    /// The values of the edit's `params`, by name, in place of the command's.
    var parameters: [String: String] = [:]
    /// When the line's jobs may be worked on; what it does not say is the command's.
    var terms = JobTerms()
    /// The title of the line's jobs; nil is the name of the edit's file.
    var title: String?

    init(edit: String, output: String? = nil, title: String? = nil) {
        self.edit = edit
        self.output = output
        self.title = title
    }
}

extension ManifestEntry: Decodable {
    private enum CodingKeys: String, CodingKey {
        case edit, output, to, replace, preset, match, smart, priority, params, title
    }

    /// - Throws: `DecodingError` for values of another type, and without an edit.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            edit: try container.decode(String.self, forKey: .edit),
            output: try container.decodeIfPresent(String.self, forKey: .output)
        )
        to = try container.decodeIfPresent(String.self, forKey: .to)
        replace = try container.decodeIfPresent(Bool.self, forKey: .replace)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        preset = try container.decodeIfPresent(String.self, forKey: .preset)
        match = try container.decodeIfPresent(String.self, forKey: .match)
        smart = try container.decodeIfPresent(Bool.self, forKey: .smart)
        priority = try container.decodeIfPresent(Int.self, forKey: .priority)
        let values = try container.decodeIfPresent([String: WrittenValue].self, forKey: .params) ?? [:]
        parameters = values.mapValues(\.text)
        terms = try JobTerms(from: decoder)
    }
}

/// A value of an edit's `params` as JSON writes it. The edit says of which type the parameter is.
private struct WrittenValue: Decodable {
    /// The value as `--param` takes it.
    let text: String

    /// - Throws: `DecodingError` for null, a list and an object.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let truth = try? container.decode(Bool.self) {
            text = truth ? "true" : "false"
        } else {
            // All digits are kept, up to 38 of them.
            text = "\(try container.decode(Decimal.self))"
        }
    }
}
