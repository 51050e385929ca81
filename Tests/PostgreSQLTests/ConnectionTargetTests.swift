import PostgreSQL
import Testing

@Suite struct ConnectionTargetTests {
    @Test(arguments: [
        "postgresql://farm:hunter2@db.example:6432/films?sslmode=verify-full",
        "host=db.example port=6432 user=farm password=hunter2 dbname=films sslmode=verify-full",
    ])
    func printsAllButThePassword(text: String) throws {
        let target = try ConnectionTarget(text)
        for word in ["farm", "db.example", "6432", "films", "verify-full"] {
            #expect(target.description.contains(word))
        }
        var dumped = ""
        dump(target, to: &dumped)
        for printed in ["\(target)", String(reflecting: target), dumped] { #expect(!printed.contains("hunter2")) }
    }

    @Test(arguments: ["postgresql://farm:hunter2@[db/films", "hunter2 hunter2", "postgresql://a?hunter2=hunter2"])
    func anUnreadableOneIsRefusedWithoutRepeatingIt(text: String) {
        let error = #expect(throws: DatabaseError.self) { try ConnectionTarget(text) }
        #expect(error?.code == DatabaseError.badAddress)
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test func anotherDatabaseKeepsTheRest() throws {
        let target = try ConnectionTarget("postgresql://farm:it's%20a%5Csecret@db.example/films").database("reels")
        #expect(target.description.contains("dbname=reels"))
        #expect(target.description.contains("host=db.example"))
        #expect(!target.description.contains("films"))
    }
}
