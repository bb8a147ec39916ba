import Circulation
import Desk
import Foundation
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Where copies stand, and what is lent there", .everyStore)
struct CopyPlaceTests {
    /// New books lend for a week, reference works not at all, and of new ones a patron has one.
    private static func tables() -> PolicyTables {
        var tables = Library.tables()
        let place = SourcePlace(file: "policy.lua", line: 1)
        tables.rules =
            [
                RuleRow(
                    conditions: RowConditions(locations: ["reference"]), fields: ["lend": .boolean(false)],
                    place: place),
                RuleRow(
                    conditions: RowConditions(locations: ["new"]), fields: ["loan": .period(.days(7))], place: place),
            ] + tables.rules
        tables.limits.append(LimitRow(conditions: RowConditions(locations: ["new"]), maximum: 1, place: place))
        return tables
    }

    private func place(_ title: Int64, _ location: String?, _ library: Library) throws {
        try library.desk.write { session in
            for copy in try session.catalogue.copies(of: .id(title)) {
                _ = try session.catalogue.updateCopy(barcode: copy.barcode) { $0.location = location }.get()
            }
        }
    }

    @Test("copies get a location and a day of acquisition, and keep them where they are not changed")
    func records() throws {
        let library = try Library()
        let day = try CivilDate(parsing: "2026-02-28")
        let added = try library.desk.write { session in
            try session.catalogue.addCopies(of: .id(1), count: 2, location: " new books\t", acquiredOn: day).get()
        }
        #expect(added.map(\.location) == ["new books", "new books"] && added.map(\.acquiredOn) == [day, day])
        let kept = try library.desk.write { session in
            try session.catalogue.updateCopy(barcode: added[0].barcode) { $0.branch = "north" }.get()
        }
        #expect(kept.location == "new books" && kept.acquiredOn == day)
        let emptied = try library.desk.write { session in
            try session.catalogue.updateCopy(barcode: added[0].barcode) { ($0.location, $0.acquiredOn) = ("  ", nil) }
                .get()
        }
        #expect(emptied.location == nil && emptied.acquiredOn == nil)
        let stored = try library.store.read { try $0.copies.find(barcode: added[1].barcode) }
        #expect(stored == added[1])
        let updated = try #require(try library.events(.copyUpdated).last?.body()[.copyUpdated])
        #expect(updated == emptied)
        try library.expectSound()
    }

    @Test("a location is a short line", arguments: [String(repeating: "é", count: 51), "a\nb"])
    func malformed(location: String) throws {
        let library = try Library()
        #expect(throws: DeskError.self) {
            try library.desk.write { try $0.catalogue.addCopies(of: .id(1), location: location) }
        }
        let barcode = try #require(try library.desk.read { try $0.catalogue.copies(of: .id(1)).first?.barcode })
        #expect(throws: DeskError.self) {
            try library.desk.write { try $0.catalogue.updateCopy(barcode: barcode) { $0.location = location } }
        }
    }

    @Test("rows for a location decide about its copies and count its loans, and a replay says the same")
    func policy() throws {
        let library = try Library(policy: PolicySpec(tables: Self.tables()))
        try place(1, "reference", library)
        try place(2, "new", library)
        try place(3, "new", library)
        #expect(try library.lend("ada", 1).refusal?.code == "not_lent")
        let new = try #require(try library.lend("ada", 2).get().first)
        #expect(new.due?.date == Zone.utc.date(of: library.clock.now()).addingDays(7))
        #expect(try library.lend("ada", 3).refusal?.code == "limit")
        // What moves in between counts as it was at each moment.
        try place(2, nil, library)
        #expect(try library.lend("ada", 3).get().count == 1)
        try place(1, nil, library)
        #expect(try library.lend("ada", 1).get().count == 1)
        for asksAll in [true, false] {
            let (same, summary) = try library.replay(
                PolicySpec(tables: Self.tables()), ReplayPlan(asksAll: asksAll))
            #expect(same.differences == [] && same.contradictions == [] && summary.requests == 5)
        }
        let (witness, _) = try library.replay(Library.standard, ReplayPlan(asksAll: true))
        #expect(witness.differences.map(\.before.code) == ["not_lent", nil, "limit", nil])
        #expect(witness.contradictions == [])
    }

    @Test("a hold is refused for a location only where no copy stands elsewhere")
    func holds() throws {
        let library = try Library(policy: PolicySpec(tables: Self.tables()))
        let copies = try library.desk.read { try $0.catalogue.copies(of: .id(1)) }
        #expect(copies.count == 2 && copies[0].itemType == copies[1].itemType && copies[0].branch == copies[1].branch)
        try place(1, "reference", library)
        #expect(try library.place("ada", 1).refusal?.code == "not_lent")
        _ = try library.desk.write { session in
            try session.catalogue.updateCopy(barcode: copies[1].barcode) { $0.location = nil }.get()
        }
        #expect(try library.place("ada", 1).get().hold.state == .waiting)
    }

    @Test(
        "a policy that reads all of it asks the store no more than one that reads nothing of it",
        arguments: [true, false])
    func statements(readsAll: Bool) throws {
        let recorder = StatementRecorder()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore.open(
            .file(folder.appendingPathComponent("library.db").path), create: true, recorder: recorder)
        defer { try? store.close() }
        var tables = Self.tables()
        for index in tables.limits.indices { tables.limits[index].countsClaimed = false }
        let library = try Library(store: store, policy: readsAll ? PolicySpec(tables: tables) : Library.standard)
        _ = try library.lend("ada", 1).get()
        _ = recorder.take()
        _ = try library.lend("ada", 2).get()
        let statements = recorder.take().map(\.text)
        #expect(statements.count == 17, "\(statements.joined(separator: "\n"))")
    }

    @Test("whether claimed loans count is the row's word, and a log that does not say which they are is believed")
    func claimed() throws {
        var tables = Library.tables(limit: 2)
        tables.limits[0].countsClaimed = false
        let library = try Library(policy: PolicySpec(tables: tables))
        let loans = try library.lend("ada", 1, 2).get()
        #expect(try library.lend("ada", 3).refusal?.code == "limit")
        _ = try library.desk.write { try $0.loans.claimReturned(.id(loans[0].id)).get() }
        let third = try #require(try library.lend("ada", 3).get().first)
        #expect(try library.lend("ada", 1).refusal?.code == "limit")
        let sequence = try #require(try library.events(.loanMade).last).sequence
        let record = try #require(try library.store.read { try $0.decisions.of(event: sequence) }.first)
        #expect(record.caseJSON.contains(#""claimed":true"#))
        let (same, _) = try library.replay(PolicySpec(tables: tables), ReplayPlan(asksAll: true))
        #expect(same.differences == [] && same.contradictions == [])
        let (counted, _) = try library.replay(PolicySpec(tables: Library.tables(limit: 2)))
        #expect(counted.differences.map(\.loan) == [third.id])
        // Earlier versions did not write it.
        try library.store.write { transaction in
            for var record in try transaction.decisions.of(event: sequence) {
                record.caseJSON = record.caseJSON.replacing(#","claimed":true"#, with: "")
                try transaction.decisions.replaceTexts(by: record)
            }
        }
        let (old, _) = try library.replay(PolicySpec(tables: tables), ReplayPlan(asksAll: true))
        #expect(old.differences == [] && old.contradictions == [])
        try library.expectSound()
    }
}

extension CivilDate {
    fileprivate func addingDays(_ days: Int64) -> CivilDate? { try? adding(days: days) }
}
