import Circulation
import TestSupport
import Testing
import TextFormats

@testable import Storage

@Suite("Fields of the library's own in the database")
struct CustomFieldTests {
    private static let fields: [CustomField] = {
        var house = CustomField(.patron, "house", .text)
        house.isPersonal = false
        return CustomField.Kind.allCases.map { CustomField(.copy, "a_\($0.rawValue)", $0) } + [
            house, CustomField(.patron, "guardian", .patron), CustomField(.title, "order", .integer),
        ]
    }()

    private static let extra: JSONObject = [
        "a_text": "A 1\u{0}", "a_integer": -7, "a_number": 2.5, "a_boolean": true, "a_date": "2026-12-24",
        "a_money": "-3.50 EUR", "a_patron": 12, "a_title": 3, "a_branch": "main", "other": "x",
    ]

    /// Declares the fields as a plugin in force does.
    private func declare(_ transaction: Transaction, _ fields: [CustomField] = fields) throws {
        let bundle = PolicyBundle(sha256: "f", files: [.init(name: "plugin.lua", source: "")])
        try transaction.plugins.insert(bundle, fields: fields)
        try transaction.plugins.insert(
            Plugin(
                name: "library", sha256: "f", version: "1", rights: [], settings: [:], state: .disabled,
                changedAt: Instant(seconds: 0), progress: .init(position: 0)))
        try transaction.plugins.customFieldsChanged()
    }

    private func ask(_ transaction: Transaction, _ text: String) throws -> [[StoredValue]] {
        let count = text.split(separator: ",").count
        return try transaction.all(Query(once: text)) { row in
            (0..<count).map { _ in row.optionalText().map { .text($0) } ?? .null }
        }
    }

    @Test(
        "declared fields are columns of the views, as what they are; what is personal is none",
        arguments: TestDriver.allCases)
    func views(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let fixture = try Fixture(transaction)
                var copy = try #require(try transaction.copies.get(fixture.copies[0]))
                copy.extra = Self.extra
                try transaction.copies.update(copy)
                try declare(transaction)
                let rows = try ask(
                    transaction,
                    """
                    SELECT a_text, CAST(a_integer + 1 AS VARCHAR(20)), CAST(a_number * 2 AS VARCHAR(20)),
                        CAST(a_boolean AS VARCHAR(20)), a_date, CAST(a_money AS VARCHAR(20)), CAST(a_title AS VARCHAR(20)),
                        a_branch
                    FROM report_copies ORDER BY barcode
                    """)
                let text = driver == .postgres ? "A 1\u{FFFD}" : "A 1"
                let number = driver == .postgres ? "5" : "5.0"
                let values = [text, "-6", number, "1", "2026-12-24", "-350", "3", "main"].map { StoredValue.text($0) }
                #expect(rows == [values, values.map { _ in .null }])
                // A word of SQL is a name like any other.
                let orders = try ask(transaction, "SELECT \"order\" FROM report_titles")
                #expect(orders == [[.null]])
                #expect(try ask(transaction, "SELECT house FROM report_patrons") == [[.null]])
                let shown = ReportView.all(with: try transaction.plugins.customFields()).flatMap(\.columns).map(\.name)
                #expect(!shown.contains("guardian") && !shown.contains("a_patron") && shown.contains("a_title"))
            }
        }
    }

    @Test(
        "records are found by what they refer to; a plugin that goes leaves names behind",
        arguments: TestDriver.allCases)
    func found(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let fixture = try store.write { (transaction) throws in
                let fixture = try Fixture(transaction)
                var copy = try #require(try transaction.copies.get(fixture.copies[0]))
                copy.extra = Self.extra
                try transaction.copies.update(copy)
                try declare(transaction)
                return fixture
            }
            try store.write { (transaction) throws in
                let known = try transaction.settings.snapshot().customFields
                #expect(known[.copy].count == 9 && known.field(.patron, "guardian")?.plugin == "library")
                let holder = try #require(known.field(.copy, "a_patron"))
                #expect(
                    try indexes(transaction) == ["own_copies_a_patron", "own_copies_a_title", "own_patrons_guardian"])
                #expect(try transaction.customFields.holders(of: holder, id: 12) == [fixture.copies[0]])
                #expect(try transaction.customFields.holders(of: holder, id: 1) == [])
                #expect(try transaction.customFields.speaking(of: holder) == [fixture.copies[0]])
                #expect(try transaction.settings.uses(ofBranch: "main").contains(CodeUse(what: "copy", count: 1)))
                try transaction.plugins.remove("library")
                try transaction.plugins.customFieldsChanged()
            }
            try store.read { (transaction) throws in
                let known = try transaction.settings.snapshot().customFields
                #expect(known.isEmpty && known.lapsed[.patron] == ["guardian", "house"])
                #expect(try indexes(transaction) == [])
                #expect(try transaction.copies.get(fixture.copies[0])?.extra == Self.extra)
            }
        }
    }

    /// Those that find what fields refer to.
    private func indexes(_ transaction: Transaction) throws -> [String] {
        let names = Query(once: "SELECT name FROM ({indexNames}) AS indexes ORDER BY name")
        return try transaction.all(names) { row in row.text() }.filter { $0.hasPrefix("own_") }
    }

    @Test("a copy of a store has the columns and indexes too")
    func copied() throws {
        let (source, target) = (try SQLiteStore.memory(), try SQLiteStore.memory())
        try source.write { (transaction) throws in try declare(transaction) }
        _ = try StoreCopy(from: source, to: target, isReplaceable: { _ in true }).run()
        try target.read { (transaction) throws in
            #expect(try ask(transaction, "SELECT a_text FROM report_copies") == [])
            #expect(try indexes(transaction).count == 3)
            #expect(try transaction.settings.snapshot().customFields.all.count == Self.fields.count)
        }
    }
}
