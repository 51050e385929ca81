import Farm
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct StoreSchemaTests {
    /// The words that a column's CHECK allows are exactly the enum's.
    @Test(arguments: [
        ("job", "state", JobState.allCases.map(\.rawValue)),
        ("task", "state", TaskState.allCases.map(\.rawValue)),
        ("task", "kind", TaskKind.allCases.map(\.rawValue)),
        ("attempt", "state", AttemptView.State.allCases.map(\.rawValue)),
    ])
    func statesAreTheProgramsStates(table: String, column: String, words: [String]) async throws {
        let connection = try await Connection.open(StoreDatabase.make(), logger: quietStoreLogger)
        let allowed = try await connection.run { connection in
            let sql = "SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1"
            let text: String = try connection.query(sql, ["\(table)_\(column)_check"])[0].get("text")
            return Set(text.split(separator: "'").map(String.init).filter { $0.allSatisfy(\.isLowercase) })
        }
        #expect(allowed == Set(words))
    }

    /// A file that no step names would never be carried out, and nothing else would say so.
    @Test func everyFileIsAStep() throws {
        let folder = Programs.repository.appendingPathComponent("Sources/Coordinator/Store/Migrations").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let steps: [String] = FarmSchema.migrations.map { step in
            let number = String(String(step.number + 10_000).dropFirst())
            return "\(number)_\(step.name).sql"
        }
        #expect(files == steps)
        #expect(FarmSchema.migrations.map(\.number) == Array(1...steps.count))
    }

    @Test func theClockIsTheDatabasesAndStandsStillForTests() async throws {
        let store = try await StoreDatabase.store()
        let first = try await store.now()
        try await waitUntil { try await store.now() > first }
        store.setClock(FarmTime(milliseconds: 77))
        #expect(try await store.now() == FarmTime(milliseconds: 77))
    }

    /// Two coordinators of one farm that start at once sign with the same bytes; another farm has others.
    @Test func theSecretIsDrawnOnce() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        async let first = stores[0].secret()
        async let second = stores[1].secret()
        let (one, two) = try await (first, second)
        #expect(one == two && one.count == 32)
        #expect(try await stores[0].secret() == one)
        #expect(try await StoreDatabase.store().secret() != one)
    }

    /// Two steps ahead: another program's database.
    @Test func aNewerDatabaseIsRefused() async throws {
        let target = try await StoreDatabase.make()
        let connection = try await Connection.open(target, logger: quietStoreLogger)
        let ahead = (FarmSchema.migrations.last?.number ?? 0) + 2
        try await connection.run { _ = try $0.query("INSERT INTO schema_migration VALUES ($1, 'later')", [ahead]) }
        let error = await #expect(throws: DatabaseError.self) { try await StoreDatabase.open(target) }
        #expect(error?.code == DatabaseError.tooNew)
    }
}
