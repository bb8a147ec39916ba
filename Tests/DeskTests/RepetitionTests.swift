import Circulation
import Desk
import Storage
import TestSupport
import Testing

@Suite("What the database undoes", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct RepetitionTests {
    /// A desk over a database that undoes the first `failures` changes to branches, as it does with a serialisation failure.
    private func withDesk(failures: Int, _ body: (Desk) throws -> Void) throws {
        let server = try PostgresServer.shared
        let name = try server.database()
        let store = try PostgresStore.open(server.url(name), create: true)
        defer { try? store.close() }
        let clock = FixedClock(try Instant(parsing: Library.start))
        let desk = Desk(store: store, policies: TestLoader(), clock: clock, actor: .desk, extensions: [])
        try desk.prepare()
        // A sequence is not rolled back, so that it counts the tries.
        try server.execute(
            """
            CREATE SEQUENCE tries;
            CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF nextval('tries') <= \(failures) THEN RAISE 'undone' USING ERRCODE = '40001'; END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER undoing BEFORE INSERT ON branches FOR EACH ROW EXECUTE FUNCTION undo()
            """, in: name)
        try body(desk)
    }

    @Test("a change that another one undid is made again where nothing else was done meanwhile")
    func repeated() throws {
        try withDesk(failures: 3) { desk in
            _ = try desk.write(isRepeatable: true) { try $0.settings.addBranch(Branch(code: "east", name: "East")) }
            #expect(try desk.read { try $0.settings.branches().map(\.code) }.contains("east"))
            #expect(try desk.examine().isSound)
        }
    }

    @Test("where more was done than can be undone, the caller is asked to try again, also after endless attempts")
    func told() throws {
        for (failures, isRepeatable) in [(1, false), (100, true)] {
            try withDesk(failures: failures) { desk in
                let error = try #require(throws: StoreError.self) {
                    try desk.write(isRepeatable: isRepeatable) {
                        try $0.settings.addBranch(Branch(code: "east", name: "East"))
                    }
                }
                #expect(error.code == .locked && error.isUndoneByAnother)
                #expect(try desk.read { try $0.settings.branches().map(\.code) } == ["main"])
            }
        }
    }
}
