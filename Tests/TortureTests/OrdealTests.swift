import Foundation
import TestSupport
import Testing
import torture

@testable import Storage

@Suite("Torture")
struct OrdealTests {
    static let drivers: [Ordeal.Driver] = PostgresServer.isMissing ? [.sqlite] : Ordeal.Driver.allCases

    /// The program as it was built, beside the test bundle.
    private static func program() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "torture")
    }

    private func ordeal(_ driver: Ordeal.Driver, seconds: Double) throws -> Ordeal {
        // Over SQLite two and two of four desks share commits.
        let processes = driver == .sqlite ? 2 : 4
        return try Ordeal(
            driver: driver, seconds: seconds, processes: processes, hands: 2, seed: 1, program: Self.program())
    }

    @Test(
        "nothing acknowledged is lost and nothing happens twice, whatever goes wrong meanwhile", arguments: drivers)
    func short(driver: Ordeal.Driver) throws {
        let report = try ordeal(driver, seconds: driver == .sqlite ? 3 : 10).run()
        #expect(report.findings.isEmpty, "\(report.text)")
        #expect(report.phases.allSatisfy { $0.answers > 0 }, "\(report.text)")
        #expect(report.phases.contains { ($0.troubles ?? 0) > 0 } && report.examinations > 0)
    }

    private func pluginOrdeal(_ driver: Ordeal.Driver, kills: Int) throws -> Ordeal {
        var ordeal = try ordeal(driver, seconds: 1)
        (ordeal.processes, ordeal.pluginKills) = (2, kills)
        return ordeal
    }

    @Test(
        "each plugin handles each event once, and each message comes under one key, whoever is killed meanwhile",
        arguments: drivers)
    func plugins(driver: Ordeal.Driver) throws {
        let report = try pluginOrdeal(driver, kills: driver == .sqlite ? 5 : 3).run()
        #expect(report.findings.isEmpty, "\(report.text)")
        #expect(report.phases.allSatisfy { $0.troubles ?? 0 >= 3 && $0.acknowledged > 0 }, "\(report.text)")
    }

    @Test("an event that plugins handled and that is not there is noticed, by the counts and by the messages")
    func pluginsDamaged() throws {
        let damage = "DELETE FROM events WHERE sequence = (SELECT MAX(sequence) FROM events WHERE kind LIKE 'loan.%')"
        let found = try rules(afterDamage: damage, of: pluginOrdeal(.sqlite, kills: 1))
        #expect(found.isSuperset(of: ["not once", "nobody asked"]))
    }

    @Test("an event that is taken away is missed, by the doctor, the journals and the reader of events")
    func missingEvent() throws {
        let found = try rules(afterDamage: "DELETE FROM events WHERE sequence = (SELECT MAX(event) FROM decision_log)")
        #expect(found.isSuperset(of: ["doctor"]) && !found.isDisjoint(with: ["lost", "not as acknowledged", "half"]))
    }

    @Test("a line of an account that is altered is noticed by the doctor and by the tables")
    func alteredLine() throws {
        let found = try rules(
            afterDamage: "UPDATE ledger SET amount = amount - 5 WHERE id = (SELECT MAX(id) FROM ledger)")
        #expect(found.isSuperset(of: ["doctor", "table of fees"]))
    }

    @Test("a loan that is opened twice is noticed")
    func reopenedLoan() throws {
        let found = try rules(
            afterDamage: """
                UPDATE loans SET returned_at = NULL
                WHERE id = (SELECT MAX(id) FROM loans WHERE returned_at IS NOT NULL
                    AND copy IN (SELECT id FROM copies WHERE status = 'available')
                    AND NOT EXISTS (SELECT 1 FROM loans AS others
                        WHERE others.copy = loans.copy AND others.returned_at IS NULL))
                """)
        #expect(found.isSuperset(of: ["doctor", "table of loans"]))
    }

    @Test(
        "a journal is held against the store line by line",
        arguments: [
            ("asked w0.999999 checkout 1 1\ndone w0.999999 lent:999999 2\n", ["lost"]),
            ("asked w0.999999 pay 1 1\ndone w0.999999 refused:more_than_owed 2\n", ["lost"]),
            ("asked w0.1 pay 1 1\ndone w0.1 paid:999999 2\n", ["lost", "not as acknowledged"]),
        ] as [(String, Set<String>)])
    func forgedJournal(lines: String, rules: Set<String>) throws {
        let report = try ordeal(.sqlite, seconds: 1).run { remains in
            let file = try FileHandle(forWritingTo: URL(filePath: remains.journals[0]))
            try file.seekToEnd()
            try file.write(contentsOf: Data(lines.utf8))
            try file.close()
        }
        #expect(report.findings.contains { rules.contains($0.rule) }, "\(report.text)")
    }

    @Test("what no journal asked for is noticed")
    func lostJournal() throws {
        let report = try ordeal(.sqlite, seconds: 1).run { remains in
            try FileManager.default.removeItem(atPath: remains.journals[0])
        }
        #expect(Set(report.findings.map(\.rule)) == ["nobody asked"], "\(report.text)")
    }

    /// The rules that a short torture finds broken after its store was damaged.
    private func rules(afterDamage damage: String, of tortured: Ordeal? = nil) throws -> Set<String> {
        let report = try (tortured ?? ordeal(.sqlite, seconds: 1)).run { remains in
            let store = try #require(remains.store as? SQLiteStore)
            try store.withWritingConnection { try $0.execute(script: "PRAGMA foreign_keys = OFF; \(damage)") }
        }
        return Set(report.findings.map(\.rule))
    }
}
