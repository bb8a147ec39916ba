import Circulation
import Desk
import Foundation
import Storage
import TestSupport
import Testing

@Suite("Statements of every day")
struct EverydayStatementTests {
    /// A loan that is renewed, falls due, is noticed and fined, comes back and is paid for, with a hold beside it.
    private func round(_ library: Library) throws {
        let loan = try #require(try library.lend("ada", 1).get().first)
        try library.pass(days: 2)
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)).get() }
        let hold = try library.desk.write { session in
            try session.holds.place(HoldRequest(patron: .username("bob"), wanted: .title(.id(2)))).get()
        }
        _ = try library.desk.write { try $0.holds.cancel(hold.hold.id).get() }
        try library.pass(days: 30)
        _ = try library.desk.sweep()
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() }
        let owed = try library.desk.read { try $0.fees.owed(by: .username("ada")) }
        _ = try library.desk.write { try $0.fees.pay(.username("ada"), amount: owed).get() }
    }

    @Test("lending, renewing, holds, sweeping, taking back and paying compile no statement anew")
    func nothingIsCompiledTwice() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("statements-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let recorder = StatementRecorder()
        let store = try SQLiteStore.open(
            .file(folder.appendingPathComponent("library.db").path), create: true, recorder: recorder)
        defer { try? store.close() }
        let policy = PolicySpec(tables: Library.tables(notices: [Library.notice("first", after: .days(1))]))
        let library = try Library(store: store, policy: policy)
        try round(library)
        _ = recorder.take()
        try round(library)
        let statements = recorder.take()
        #expect(statements.contains { $0.text.hasPrefix("INSERT INTO loans") })
        #expect(Set(statements.filter { !$0.isKept }.map(\.text)) == [])
    }
}
