import Circulation
import Desk
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite("Doctor", .everyStore)
struct DoctorTests {
    /// A library in which every table has rows.
    private func busy() throws -> Library {
        let notices = [Library.notice("first", after: .days(1))]
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: notices)))
        _ = try library.lend("ada", 1, 2).get()
        _ = try library.lend("bob", 3).get()
        _ = try library.desk.write { try $0.patrons.block(.username("cyd"), kind: "manual").get() }
        try library.pass(days: 17)
        _ = try library.desk.sweep()
        _ = try library.desk.write { try $0.loans.checkin(.barcode("000000020001")).get() }
        return library
    }

    @Test("a store that only the desk has written is sound")
    func sound() throws {
        let report = try busy().desk.examine()
        #expect(report.broken.isEmpty && report.isSound && report.failures.isEmpty)
    }

    @Test(
        "what was changed behind the desk's back is found and named",
        arguments: [
            ("UPDATE settings SET value = 'USD' WHERE name = 'library.currency'", "settings"),
            ("UPDATE settings SET value = 'Other' WHERE name = 'library.name'", "settings"),
            ("UPDATE branches SET name = 'Other' WHERE code = 'main'", "branches"),
            (
                "UPDATE branches SET calendar = replace(calendar, '\"closed\":[]', '\"closed\":[\"2026-12-24\"]')",
                "branches"
            ),
            ("UPDATE branches SET position = 99 WHERE code = 'main'", "branches"),
            ("DELETE FROM categories WHERE code = 'staff'", "categories"),
            ("INSERT INTO categories (code, position, name) VALUES ('x', 9, 'X')", "categories"),
            ("UPDATE item_types SET parent = NULL WHERE code = 'dvd'", "item_types"),
            ("INSERT INTO locations (code, position, name) VALUES ('x', 9, 'X')", "locations"),
            ("UPDATE titles SET year = 1900 WHERE id = 1", "titles"),
            ("UPDATE titles SET title = 'Dune!' WHERE id = 1", "titles"),
            ("UPDATE titles SET recommended = 1 WHERE id = 2", "titles"),
            ("UPDATE titles SET title_key = 'zzz' WHERE id = 2", "titles"),
            ("UPDATE copies SET status = 'available' WHERE barcode = '000000010001'", "copies"),
            ("UPDATE copies SET status = 'on_loan' WHERE barcode = '000000020001'", "copies"),
            ("UPDATE copies SET branch = 'north' WHERE id = 5", "copies"),
            ("DELETE FROM copies WHERE barcode = '000000030003'", "copies"),
            ("UPDATE patrons SET category = 'staff' WHERE username = 'ada'", "patrons"),
            ("UPDATE patrons SET expires_on = 1 WHERE username = 'ada'", "patrons"),
            ("UPDATE patrons SET role = 'admin' WHERE username = 'cyd'", "patrons"),
            ("UPDATE patrons SET name_key = 'x' WHERE username = 'cyd'", "patrons"),
            ("UPDATE patrons SET username_key = 'x' WHERE username = 'cyd'", "patrons"),
            ("UPDATE titles SET author_key = 'zzz' WHERE id = 2", "titles"),
            ("DELETE FROM blocks", "blocks"),
            ("UPDATE blocks SET ends = 1", "blocks"),
            ("UPDATE loans SET due_at = due_at + 1 WHERE id = 1", "loans"),
            ("UPDATE loans SET renewals = 9 WHERE id = 1", "loans"),
            ("UPDATE loans SET patron = 2 WHERE id = 1", "loans"),
            ("UPDATE loans SET returned_at = lent_at - 1 WHERE id = 2", "loans"),
            ("UPDATE loans SET policy = 'gone' WHERE id = 1", "loans"),
            (
                "INSERT INTO loans (lent_at, due_exact, renewals, unseen_renewals, on_site) VALUES (1, 0, 0, 0, 0)",
                "loans"
            ),
            ("UPDATE notices SET state = 'sent' WHERE id = 1", "notices"),
            ("DELETE FROM notices WHERE id = 1", "notices"),
            ("UPDATE ledger SET amount = 1 WHERE id = 1", "ledger"),
            ("UPDATE ledger SET currency = 'USD' WHERE id = 1", "ledger"),
            ("UPDATE ledger SET label = 'x' WHERE id = 1", "ledger"),
            ("DELETE FROM ledger WHERE id = 1", "ledger"),
            ("UPDATE policy_activations SET effective_from = 0", "policy_activations"),
            ("UPDATE policy_activations SET note = 'x'", "policy_activations"),
            ("UPDATE policy_versions SET files = '[[\"policy.lua\",\"evil\"]]'", "policy_versions"),
            ("UPDATE events SET payload = (SELECT extra FROM titles WHERE id = 1) WHERE kind = 'loan.made'", "events"),
            ("UPDATE events SET kind = 'loan.nothing' WHERE kind = 'loan.returned'", "events"),
            ("UPDATE events SET version = 7 WHERE kind = 'title.added'", "events"),
            ("DELETE FROM decision_log; DELETE FROM events WHERE kind = 'loan.made'", "loans"),
            ("UPDATE events SET actor = 'patron:1' WHERE sequence = 7", "events"),
            ("UPDATE events SET at = at - 1 WHERE sequence = 9", "events"),
            ("UPDATE events SET channel = 'web' WHERE sequence = 9", "events"),
            ("UPDATE events SET request_id = 'other' WHERE sequence = 9", "events"),
            ("UPDATE events SET ordinal = ordinal + 70 WHERE sequence = 9", "events"),
            ("UPDATE events SET patron = 2 WHERE kind = 'loan.made'", "events"),
            ("UPDATE events SET payload = replace(payload, '\"name\":\"Main library\"', '\"name\":\"x\"')", "events"),
            ("UPDATE events SET seal = hash WHERE sequence = 9", "events"),
            ("UPDATE events SET seal = hash, cleared_by = 10 WHERE sequence = 9", "events"),
            ("UPDATE events SET hash = seal WHERE sequence = 9", "events"),
            ("DELETE FROM decision_log; DELETE FROM events WHERE kind = 'account.changed' OR sequence = 8", "events"),
            ("UPDATE circulation_days SET loans = loans + 1", "circulation_days"),
            ("DELETE FROM circulation_days WHERE returns > 0", "circulation_days"),
            ("UPDATE title_lendings SET loans = 0 WHERE title = 1", "title_lendings"),
            ("DELETE FROM title_genres; DELETE FROM title_search", "titles"),
        ])
    func tampered(statement: String, table: String) throws {
        let library = try busy()
        try library.store.write { transaction in
            for part in statement.split(separator: ";") { try transaction.execute(Query(once: String(part))) }
            try transaction.settings.changed()
        }
        let report = try library.desk.examine()
        #expect(!report.isSound)
        #expect(report.broken.contains { $0.table == table }, "\(report.broken)")
        #expect(report.broken.allSatisfy { !$0.message.isEmpty && !$0.invariant.isEmpty })
    }

    @Test("a row that differs is named with the fields in which it does")
    func fields() throws {
        let library = try busy()
        _ = try library.store.write { transaction in
            try transaction.execute(Query(once: "UPDATE loans SET renewals = 3, branch = 'north' WHERE id = 2"))
        }
        let broken = try #require(try library.desk.examine().broken.first { $0.table == "loans" })
        #expect(broken.id == "2" && broken.invariant == "fold")
        #expect(broken.message == "Differs from what the events tell in branch, renewals.")
    }

    @Test("findings end at the limit")
    func limit() throws {
        let library = try busy()
        _ = try library.store.write { try $0.execute(Query(once: "UPDATE copies SET item_type = 'dvd'")) }
        #expect(try library.desk.examine(limit: 2).broken.count { $0.table == "copies" } == 2)
    }

    @Test("rows missing, changed and added anywhere in a table of several pages are each found, in order of their ids")
    func severalPages() throws {
        let library = try Library()
        let ids = try library.desk.write { session in
            try (0..<3 * Transaction.pageSize).map { try session.catalogue.add(Title(title: "Volume \($0)")).get().id }
        }
        let (first, page, end) = (ids[0], ids[Int(Transaction.pageSize)], ids[ids.count - 1])
        try library.store.write { transaction in
            for id in [first, page, end] {
                try transaction.execute(Query(once: "DELETE FROM titles WHERE id = \(id)"))
            }
            try transaction.execute(Query(once: "UPDATE titles SET year = 1900 WHERE id = \(page + 1)"))
            for id in [first - 100, end + 7] {
                try transaction.titles.insert(Title(id: id, title: "Of no event"))
            }
        }
        let found = try library.desk.examine().broken.filter { $0.table == "titles" && $0.invariant == "fold" }
        let missing = "The events tell of this row, and it is missing."
        let untold = "No event tells of this row."
        let expected = [
            "\(first - 100)": untold, "\(first)": missing, "\(page)": missing,
            "\(page + 1)": "Differs from what the events tell in year.", "\(end)": missing, "\(end + 7)": untold,
        ]
        #expect(Dictionary(found.map { ($0.id, $0.message) }, uniquingKeysWith: { one, _ in one }) == expected)
        #expect(found.map { Int64($0.id) ?? 0 } == found.map { Int64($0.id) ?? 0 }.sorted())
    }

    @Test("while others lend and take back between any two of its pages, a sound store is found sound")
    func company() throws {
        let library = try busy()
        let desk = library.desk
        let turn = Mutex(0)
        let store = BusyStore(library.store) {
            let isEven = turn.withLock { turn in
                turn += 1
                return turn.isMultiple(of: 2)
            }
            _ = try desk.write { session in
                if isEven {
                    _ = try session.loans.checkin(.barcode("000000020001")).get()
                } else {
                    let copy = CheckoutRequest(patron: .username("bob"), wanted: .barcode("000000020001"))
                    _ = try session.loans.checkout(copy).get()
                }
            }
        }
        let report = try Desk(
            store: store, policies: library.loader, clock: library.clock, actor: .desk, extensions: []
        ).examine()
        #expect(report.broken == [])
        #expect(turn.withLock { $0 } > 40)
        #expect(try report.head.sequence > 20 && library.desk.examine(anchors: [report.head]).isSound)
    }

    /// Something is done before each question that is asked of it.
    private final class BusyStore: Store {
        private let store: any Store
        private let between: @Sendable () throws -> Void

        init(_ store: any Store, _ between: @escaping @Sendable () throws -> Void) {
            (self.store, self.between) = (store, between)
        }

        var location: StoreLocation { store.location }
        var isReadOnly: Bool { false }

        func write<T>(_ sharing: CommitSharing, _ body: (Transaction) throws -> T) throws -> T {
            try store.write(sharing, body)
        }

        func read<T>(_ body: (Transaction) throws -> T) throws -> T {
            try between()
            return try store.read(body)
        }

        func ask(_ question: SQLQuery, goesOn: @escaping () -> Bool) throws -> SQLResult {
            try store.ask(question, goesOn: goesOn)
        }
        func eraseTraces() throws { try store.eraseTraces() }
        func close() throws { try store.close() }
    }

    // MARK: - Checkpoints

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test("with a checkpoint it goes on with the events that came since, and compares all tables")
    func checkpoint() throws {
        let library = try busy()
        let path = folder.path + "/doctor"
        let early = try library.desk.examine(checkpoint: path).head
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        _ = try library.lend("bob", 2).get()
        func change(_ statement: String) throws {
            _ = try library.store.write { try $0.execute(Query(once: statement)) }
        }
        // What was proved of the log is not proved again, unlike what came since.
        try change("UPDATE events SET channel = 'web' WHERE sequence = 9")
        let later = try library.desk.examine(anchors: [early], checkpoint: path)
        #expect(later.broken == [] && later.head.sequence > early.sequence)
        #expect(try !library.desk.examine().isSound)
        var other = early
        other.hash = later.head.hash
        #expect(try library.desk.examine(anchors: [other], checkpoint: path).broken.map(\.id) == ["\(early.sequence)"])
        try change("UPDATE loans SET renewals = 9 WHERE id = 1")
        #expect(try library.desk.examine(checkpoint: path).broken.map(\.table) == ["loans"])
    }

    @Test("a checkpoint of another store, and one in whose log something is broken, is not gone on from")
    func otherCheckpoint() throws {
        let path = folder.path + "/doctor"
        #expect(try busy().desk.examine(checkpoint: path).isSound)
        let library = try Library()
        #expect(try library.desk.examine(checkpoint: path).isSound)
        _ = try library.lend("ada", 1).get()
        _ = try library.store.write { transaction in
            try transaction.execute(Query(once: "UPDATE events SET channel = 'web' WHERE kind = 'loan.made'"))
        }
        for _ in 1...2 {
            #expect(try library.desk.examine(checkpoint: path).broken.map(\.invariant) == ["chain"])
        }
    }

    @Test("failures of policies of which the events before a checkpoint tell are told again")
    func failuresBefore() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(), failing: [.checkout]))
        _ = try library.lend("ada", 1)
        let path = folder.path + "/doctor"
        let failures = try library.desk.examine(checkpoint: path).failures
        #expect(failures.count == 1)
        #expect(try library.desk.examine(checkpoint: path).failures == failures)
    }

    @Test("no other file is taken for a checkpoint, the store itself least of all")
    func otherFiles() throws {
        let store = try folder.store("store.db")
        defer { try? store.close() }
        let library = try Library(store: store)
        try Data("not a checkpoint".utf8).write(to: URL(fileURLWithPath: folder.path + "/text.db"))
        for name in ["store.db", "text.db"] {
            let error = #expect(throws: StoreError.self) {
                try library.desk.examine(checkpoint: folder.path + "/\(name)")
            }
            #expect(error?.code == .cannotWrite)
        }
        #expect(try library.desk.examine().isSound)
    }
}
