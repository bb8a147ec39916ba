import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("Rows of declared records")
struct RecordTableTests {
    private static let records = RandomRecords(
        seed: "row", integers: [1, 2, 3],
        words: [
            "branch": ["main", "annex"], "home_branch": ["main", "annex"], "category": ["patron"],
            "item_type": ["book", "reference"], "policy": ["p1"],
        ], amounts: [0, 1, 1_999, .max])

    // MARK: - Columns

    @Test("a declared table has the columns that are declared, and those that say why they are not")
    func columns() throws {
        let store = try SQLiteStore.memory()
        defer { try? store.close() }
        let tables = try store.withWritingConnection { (connection) throws in
            Dictionary(uniqueKeysWithValues: try connection.tables().map { ($0.name, Set($0.columns.map(\.name))) })
        }
        func check<Record>(_ table: RecordTable<Record>, others: Set<String> = []) {
            let declared = table.columnNames + table.derived.map(\.column)
            #expect(Set(declared).count == declared.count, "\(table.name)")
            #expect(Set(declared).union(others) == tables[table.name], "\(table.name)")
            #expect(others.isDisjoint(with: declared), "\(table.name)")
        }
        check(TitleRepository.table)
        check(CopyRepository.table)
        // Of no use any more: whose use it was is never written.
        check(InHouseUseRepository.table, others: ["category"])
        check(PatronRepository.table)
        check(BlockRepository.table)
        check(LoanRepository.table)
        check(HoldRepository.table)
        check(NoticeRepository.table)
        check(LedgerRepository.table)
        check(PolicyRepository.table)
        check(ListingRepository.table)
        check(OrderRepository.table)
        // Where the item stands, and when its order was placed, for statistics.
        check(OrderRepository.itemTable, others: ["order_id", "position", "placed_at"])
        check(RentalRepository.table)
        check(CartRepository.table)
        check(FavouriteRepository.table)
        check(PatronLinkRepository.table)
        check(SuggestionRepository.table)
        check(RatingRepository.table)
        check(RatingTotalRepository.table)
        check(TitleListRepository.table)
        check(ListedTitleRepository.table)
    }

    // MARK: - Values

    @Test("a record of any values comes back from its row as it was, added or replaced", arguments: TestDriver.allCases)
    func roundTrip(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try Self.fill(transaction, fixture)
            try Self.tryOut(TitleRepository.table, transaction)
            try Self.tryOut(CopyRepository.table, transaction)
            try Self.tryOut(InHouseUseRepository.table, transaction)
            try Self.tryOut(PatronRepository.table, transaction)
            try Self.tryOut(BlockRepository.table, transaction)
            try Self.tryOut(PatronLinkRepository.table, transaction) { ($0.patron, $0.other) = (1, 2) }
            try Self.tryOut(LoanRepository.table, transaction)
            try Self.tryOut(HoldRepository.table, transaction) { $0.closedAt = $0.isOpen ? nil : .latest }
            try Self.tryOut(NoticeRepository.table, transaction)
            try Self.tryOut(LedgerRepository.table, transaction)
            try Self.tryOut(LedgerRepository.table, transaction) { $0.patron = 0 }
            try Self.tryOut(PolicyRepository.table, transaction)
            try Self.tryOut(ListingRepository.table, transaction)
            try Self.tryOut(OrderRepository.table, transaction) { order in
                order.items = []
                order.closedAt = order.state == .open ? nil : .latest
            }
            try Self.tryOut(RentalRepository.table, transaction)
            try Self.tryOut(CartRepository.table, transaction) { line in
                if line.title == nil { line.listing = 2 } else { line.listing = nil }
            }
            try Self.tryOut(FavouriteRepository.table, transaction) { favourite in
                if favourite.title == nil { favourite.listing = 2 } else { favourite.listing = nil }
            }
            try Self.tryOut(RatingRepository.table, transaction) { $0.title = 2 }
            try Self.tryOut(TitleListRepository.table, transaction)
            #expect(
                try transaction.titleLists.insert(
                    TitleList(patron: 1, name: "L", createdAt: Instant(seconds: 1))) > 0)
            let list = try #require(try transaction.titleLists.of(patron: 1, limit: 1).first)
            try Self.tryOut(ListedTitleRepository.table, transaction) { $0.list = list.id }
            try Self.tryOut(SuggestionRepository.table, transaction) { suggestion in
                suggestion.decidedAt = suggestion.state == .review ? nil : .latest
            }
        }
    }

    @Test("an order comes back with its items", arguments: TestDriver.allCases)
    func items(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try Self.fill(transaction, fixture)
            for number in 1...6 {
                var order: Order = try Self.records.record(number)
                order.id = 0
                order.closedAt = order.state == .open ? nil : .latest
                order.items = try (1...3).map { place in
                    var item: Order.Item = try Self.records.record(number * 10 + place)
                    if item.kind == .loan { item.kind = .rent }
                    return item
                }
                order.id = try transaction.orders.insert(order)
                #expect(try transaction.orders.get(order.id) == order)
            }
        }
    }

    @Test("a change of named fields leaves the others as they are", arguments: TestDriver.allCases)
    func namedFields(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var loan = try fixture.loan()
            loan.id = try transaction.loans.insert(loan)
            var changed = loan
            changed.due = nil
            changed.renewals = 3
            changed.policy = "p1"
            changed.branch = "elsewhere"
            let change = LoanRepository.table.change(\.due, \.policy)
            #expect(try change.write(changed, in: transaction))
            loan.due = nil
            loan.policy = "p1"
            #expect(try transaction.loans.get(loan.id) == loan)
            changed.id = 4_711
            #expect(try !change.write(changed, in: transaction))
        }
    }

    @Test("a word that the program does not know is damage that names its column")
    func unknownWord() throws {
        try TestDriver.memory.withFixture { (transaction, fixture) throws in
            let loan = try transaction.loans.insert(try fixture.loan())
            try transaction.execute(Query(once: "UPDATE loans SET channel = 'post' WHERE id = ?"), [.integer(loan)])
            let error = storeError { _ = try transaction.loans.get(loan) }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("the column channel of loans") == true)
        }
    }

    /// Adds records 1 to 3 of each kind that others refer to.
    private static func fill(_ transaction: Transaction, _ fixture: Fixture) throws {
        try transaction.policies.insert(PolicyBundle(sha256: "p1", files: []))
        try #require(fixture.title == 1 && fixture.patron == 1 && fixture.copies == [1, 2])
        for id in 2...3 as ClosedRange<Int64> {
            #expect(try transaction.titles.insert(Title(title: "T\(id)")) == id)
            #expect(
                try transaction.patrons.insert(
                    Patron(username: "p\(id)", category: "patron", homeBranch: "main")) == id)
        }
        #expect(
            try transaction.copies.insert(Copy(barcode: "b3", title: 1, branch: "main", itemType: "book")) == 3)
        for id in 1...3 as ClosedRange<Int64> {
            let at = Instant(seconds: id)
            #expect(try transaction.loans.insert(Loan(lentAt: at)) == id)
            #expect(
                try transaction.listings.insert(
                    Listing(seller: nil, title: nil, kind: .donate, state: .draft, createdAt: at)) == id)
            #expect(
                try transaction.orders.insert(
                    Order(buyer: nil, items: [], lines: [], total: .zero(.eur), placedAt: at)) == id)
        }
    }

    /// Takes back what was tried.
    private struct Undo: Error {}

    /// Adds records of the table, replaces each and takes it away again.
    private static func tryOut<Record>(
        _ table: RecordTable<Record>, _ transaction: Transaction, _ arrange: (inout Record) -> Void = { _ in }
    ) throws {
        let query = Query(once: "SELECT \(table.columns) FROM \(table.name) WHERE id = ?")
        for number in 1...6 {
            var (record, other): (Record, Record) = (try records.record(number), try records.record(number + 100))
            arrange(&record)
            arrange(&other)
            try setID(0, of: &record)
            #expect(throws: Undo.self, "\(table.name) \(number)") {
                try transaction.savepoint {
                    let id = try table.insert(record, in: transaction)
                    try setID(id, of: &record)
                    try setID(id, of: &other)
                    #expect(try transaction.first(query, [.integer(id)], table.read) == record)
                    #expect(try table.update(other, in: transaction))
                    #expect(try transaction.first(query, [.integer(id)], table.read) == other)
                    throw Undo()
                }
            }
        }
    }

    private static func setID<Record: DeclaredRecord>(_ id: Int64, of record: inout Record) throws {
        let field = try #require(Record.declaration.fields.first)
        try #require(field.name == "id" && field.set(&record, .integer(id)))
    }
}
