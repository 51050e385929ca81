import CompositionModel
import WireProtocol

extension Manifest {
    /// Reads a table whose first row names the columns: those of a JSON line, and `param.NAME` for a value of the edit's
    /// `params`. A field without text says nothing.
    /// - Parameters:
    ///   - path: the name of the file in sentences.
    ///   - folder: what relative paths count from; empty is the working folder.
    ///   - isValid: whether the file is UTF-8 as a whole; else rows that are not are refused.
    /// - Throws: ``CommandFailure`` when the first row names columns that there are not, or none for the edit.
    static func table(_ text: String, path: String, folder: String, isValid: Bool = true) throws -> [Line] {
        let rows = CSVTable(text).rows
        guard let head = rows.first else { throw CommandFailure(.usage, "The manifest \(path) has no lines.") }
        let place = "\(path):\(head.line)"
        let columns: [CSVColumn]
        switch head.fields {
        case .failure(let error): throw CommandFailure(.usage, "\(place): \(error.reason).")
        case .success(let names) where !isValid && names.contains(where: isSpoilt):
            throw CommandFailure(.usage, "\(place): \(notUTF8).")
        case .success(let names): columns = try CSVColumn.list(names, place: place)
        }
        guard rows.count > 1 else { throw CommandFailure(.usage, "The manifest \(path) has no lines.") }
        return rows.dropFirst().map { row in
            let place = "\(path):\(row.line)"
            switch row.fields {
            case .failure(let error): return .bad("\(place): \(error.reason).")
            case .success(let fields) where !isValid && fields.contains(where: isSpoilt):
                return .bad("\(place): \(notUTF8).")
            case .success(let fields): return line(fields, columns, place: place, folder: folder)
            }
        }
    }

    private static func line(_ fields: [String], _ columns: [CSVColumn], place: String, folder: String) -> Line {
        guard fields.count == columns.count else {
            let found = Count.of(fields.count, "field")
            return .bad("\(place): it has \(found), and the first row names \(Count.of(columns.count, "column")).")
        }
        var entry = ManifestEntry(edit: "")
        for (column, field) in zip(columns, fields) where !field.isEmpty {
            do throws(CSVColumn.Malformed) {
                try column.set(field, in: &entry)
            } catch {
                return .bad("\(place), column “\(column.name.visible)”: \(error.reason).")
            }
        }
        guard !entry.edit.isEmpty else {
            return .bad("\(place), column “edit”: it is empty; it says which edit to submit.")
        }
        return checked(entry, place: place, folder: folder)
    }
}

/// A column of a manifest.
struct CSVColumn {
    /// The reason why a field cannot be read, as the end of a sentence.
    struct Malformed: Error {
        let reason: String
    }

    /// The name as the first row has it.
    let name: String
    private let key: Key

    private enum Key: Hashable {
        case parameter(String)
        case word(Word)
    }

    private enum Word: String, CaseIterable {
        case edit, output, to, replace, title, preset, match, smart, priority, after, until, days, deadline, audit,
            require, webhook
        case timeZone = "time_zone"
        case afterJob = "after_job"

        /// `after_job`, `afterJob` and `afterJobs` are one column.
        init?(written: String) {
            let name = Self.plain(written)
            let known = Self.allCases.first { word in
                let plain = Self.plain(word.rawValue)
                return plain == name || plain + "s" == name
            }
            guard let known else { return nil }
            self = known
        }

        private static func plain(_ text: String) -> String { text.lowercased().filter { $0 != "_" && $0 != " " } }
    }

    /// Reads the first row.
    /// - Throws: ``CommandFailure`` for a column that is not known, one that is there twice, and none for the edit.
    static func list(_ names: [String], place: String) throws -> [CSVColumn] {
        let columns = try names.map { name in
            guard let key = key(name) else {
                let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
                let what = "\(place), column “\(name.visible)”: there is no such column"
                throw CommandFailure(.usage, "\(what); there are \(known) and param.NAME, with commas between them.")
            }
            return CSVColumn(name: name, key: key)
        }
        var seen: Set<Key> = []
        for column in columns where !seen.insert(column.key).inserted {
            throw CommandFailure(.usage, "\(place), column “\(column.name.visible)”: it is there twice.")
        }
        guard seen.contains(.word(.edit)) else {
            throw CommandFailure(.usage, "\(place): the column “edit” is missing; it says which edit to submit.")
        }
        return columns
    }

    private static func key(_ name: String) -> Key? {
        if name.hasPrefix("param."), name.count > 6 { return .parameter(String(name.dropFirst(6))) }
        return Word(written: name).map { .word($0) }
    }

    /// Sets what a field says.
    /// - Throws: ``Malformed``.
    func set(_ field: String, in entry: inout ManifestEntry) throws(Malformed) {
        switch key {
        case .parameter(let name): entry.parameters[name] = field
        case .word(.edit): entry.edit = field
        case .word(.output): entry.output = field
        case .word(.to): entry.to = field
        case .word(.replace): entry.replace = try truth(field)
        case .word(.title): entry.title = field
        case .word(.preset): entry.preset = field
        case .word(.match): entry.match = field
        case .word(.smart): entry.smart = try truth(field)
        case .word(.priority):
            guard let priority = Int32(field) else {
                throw Malformed(reason: "“\(field.visible)” is no whole number from \(Int32.min) to \(Int32.max)")
            }
            entry.priority = Int(priority)
        case .word(.after): entry.terms.after = field
        case .word(.until): entry.terms.until = field
        case .word(.days): entry.terms.days = field
        case .word(.timeZone): entry.terms.timeZone = field
        case .word(.deadline): entry.terms.deadline = field
        case .word(.audit): entry.terms.audit = field
        case .word(.webhook): entry.terms.webhook = field
        case .word(.require): entry.terms.require = words(field)
        case .word(.afterJob): entry.terms.afterJobs = words(field)
        }
    }

    private func words(_ field: String) -> [String] { field.split { " ,;".contains($0) }.map(String.init) }

    private func truth(_ field: String) throws(Malformed) -> Bool {
        switch field.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: throw Malformed(reason: "“\(field.visible)” is neither true nor false")
        }
    }
}
