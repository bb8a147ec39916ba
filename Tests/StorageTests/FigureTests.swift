import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("Figures of simple reports")
struct FigureTests {
    /// Something that counts for a measure, as the test knows it.
    private struct Fact {
        var keys: [FigureDimension: [String]] = [:]
        /// nil: it is counted as it stands now.
        var at: Instant?
        var value: Int64 = 1
        var isImported = false

        func keys(_ dimension: FigureDimension, _ zone: Zone) -> [String] {
            guard dimension.isOfTime, let at else {
                let own = keys[dimension] ?? []
                return own.isEmpty ? ["-"] : own
            }
            let (date, time) = zone.local(of: at)
            let text = date.description
            switch dimension {
            case .day: return [text]
            case .month: return [String(text.prefix(7))]
            case .year: return [String(text.prefix(4))]
            case .weekday: return [String(date.weekday.rawValue)]
            case .hour: return [String(time.description.prefix(2))]
            default: return [StatisticsPeriod.key(of: .week, on: date) ?? ""]
            }
        }
    }

    /// A library at random, and what of it counts for which measure.
    private struct RandomLibrary {
        let transaction: Transaction
        let zone: Zone
        let now: Instant
        var facts: [String: [Fact]] = [:]
        private var random = SplitMix(seed: 23)
        private var titles: [Title] = []
        private var patrons: [Patron] = []
        private var copies: [Copy] = []
        private var loans: [Loan] = []

        init(_ transaction: Transaction, _ fixture: Fixture) throws {
            self.transaction = transaction
            zone = try Zone(named: "Europe/Berlin")
            now = try Instant(parsing: "2026-12-01T10:00:00Z")
            try transaction.settings.setLibrary(LibrarySettings(name: "L", zone: zone, currency: .eur))
            try transaction.settings.insert(Category(code: "staff", name: "Staff"))
            try start(fixture)
            for number in 0..<8 { try addTitle(number) }
            for number in 0..<6 { try addPatron(number) }
            for number in 0..<20 { try addCopy(number) }
            for number in 0..<120 { try addLoan(number) }
            for number in 0..<30 { try addHold(number) }
            for number in 0..<20 { try addUse(number) }
            for number in 0..<40 { try addFee(number) }
        }

        private mutating func one<Value>(_ values: [Value]) throws -> Value {
            try #require(values.randomElement(using: &random))
        }

        private mutating func moment() throws -> Instant {
            let hours = Int64.random(in: 0..<(24 * 760), using: &random)
            return try Instant(parsing: "2024-11-01T00:20:00Z").adding(seconds: hours * 3_600)
        }

        private mutating func add(_ measure: String, _ fact: Fact) { facts[measure, default: []].append(fact) }

        /// What the fixture brings counts too.
        private mutating func start(_ fixture: Fixture) throws {
            add("titles", Fact())
            for _ in fixture.copies { add("copies", Fact(keys: Self.copy("main", "book", "available"))) }
            add("patrons", Fact(keys: [.branch: ["main"], .category: ["patron"]]))
        }

        private static func copy(_ branch: String, _ type: String, _ status: String) -> [FigureDimension: [String]] {
            [.branch: [branch], .itemType: [type], .status: [status]]
        }

        private func keys(ofTitle id: Int64?) -> [FigureDimension: [String]] {
            guard let title = titles.first(where: { $0.id == id }) else { return [:] }
            return [
                .genre: title.genres, .subject: title.subjects, .course: title.courses.map(\.code),
                .college: title.college.map { [$0] } ?? [], .language: title.language.map { [$0] } ?? [],
            ]
        }

        private mutating func addTitle(_ number: Int) throws {
            var title = Title(title: "T\(number)")
            title.genres = try one([["Novel"], ["Novel", "Modern"], []])
            title.subjects = try one([["Law \"1\""], ["Law \"1\"", "Art"], []])
            title.courses = try one([[Course(code: "A1", name: "Law")], [Course(code: "A1"), Course(code: "B2")], []])
            title.college = try one(["North", nil])
            title.language = try one(["en", "de", nil])
            title.id = try transaction.titles.insert(title)
            titles.append(title)
            add("titles", Fact(keys: keys(ofTitle: title.id)))
        }

        private mutating func addPatron(_ number: Int) throws {
            var patron = Patron(
                username: "p\(number)", category: try one(["patron", "staff"]), homeBranch: try one(["main", "annex"]),
                language: try one(["en", nil]))
            patron.id = try transaction.patrons.insert(patron)
            patrons.append(patron)
            let keys: [FigureDimension: [String]] = [
                .branch: [patron.homeBranch], .category: [patron.category],
                .language: patron.language.map { [$0] } ?? [],
            ]
            add("patrons", Fact(keys: keys))
            let at = try moment()
            try transaction.events.insert(
                EventRecord(
                    at: at, actor: "a", kind: "patron.added", payload: "{}", requestID: "p\(number)", patron: patron.id)
            )
            add("new_patrons", Fact(keys: keys, at: at))
        }

        private mutating func addCopy(_ number: Int) throws {
            var copy = Copy(
                barcode: "c\(number)", title: try one(titles).id, branch: try one(["main", "annex"]),
                itemType: try one(["book", "reference"]), status: try one([.available, .onLoan, .lost, .withdrawn]))
            copy.id = try transaction.copies.insert(copy)
            copies.append(copy)
            guard copy.status == .available || copy.status == .onLoan else { return }
            var keys = keys(ofTitle: copy.title)
            keys.merge(Self.copy(copy.branch, copy.itemType, copy.status.rawValue)) { $1 }
            add("copies", Fact(keys: keys))
        }

        private mutating func addLoan(_ number: Int) throws {
            var loan = Loan(lentAt: try moment())
            loan.title = try one(titles.map(\.id) + [nil])
            loan.branch = try one(["main", "annex", nil])
            loan.category = try one(["patron", "staff", nil])
            loan.itemType = try one(["book", "reference", nil])
            loan.patron = try one(patrons.map(\.id) + [nil])
            let isOpen = number < copies.count
            if isOpen { loan.copy = copies[number].id } else { loan.returnedAt = try moment() }
            let due = try moment()
            loan.due = DueTime(instant: due, date: zone.date(of: due), isExact: false)
            if isOpen, number % 5 == 0 { loan.lostAt = due }
            if number % 3 == 0 { loan.importKey = "k\(number)" }
            loan.id = try transaction.loans.insert(loan)
            loans.append(loan)
            var keys = keys(ofTitle: loan.title)
            keys[.branch] = loan.branch.map { [$0] }
            keys[.category] = loan.category.map { [$0] }
            keys[.itemType] = loan.itemType.map { [$0] }
            let isImported = loan.importKey != nil
            add("loans", Fact(keys: keys, at: loan.lentAt, isImported: isImported))
            if let at = loan.returnedAt { add("returns", Fact(keys: keys, at: at, isImported: isImported)) }
            if isOpen { add("open_loans", Fact(keys: keys)) }
            if isOpen, loan.lostAt == nil, due < now { add("overdue_loans", Fact(keys: keys)) }
            guard !isImported, number % 4 == 1 else { return }
            let at = try moment()
            loan.renewals = 1
            loan.renewedAt = at
            try transaction.loans.updateDue(loan)
            try transaction.events.insert(
                EventRecord(
                    at: at, actor: "a", kind: EventRepository.renewalKind, payload: "{}", requestID: "r\(number)",
                    loan: loan.id))
            add("renewals", Fact(keys: keys, at: at))
        }

        private mutating func addHold(_ number: Int) throws {
            let patron = try one(patrons + [nil])
            var hold = Hold(
                title: try one(titles).id, patron: patron?.id, pickupBranch: try one(["main", "annex"]),
                placedAt: try moment())
            if number % 4 == 0 { hold.importKey = "h\(number)" }
            if number % 2 == 0 { (hold.state, hold.closedAt) = (.cancelled, try moment()) }
            try transaction.holds.insert(hold)
            var keys = keys(ofTitle: hold.title)
            keys[.branch] = [hold.pickupBranch]
            keys[.category] = patron.map { [$0.category] }
            add("holds", Fact(keys: keys, at: hold.placedAt, isImported: hold.importKey != nil))
            if hold.closedAt == nil { add("open_holds", Fact(keys: keys)) }
        }

        private mutating func addUse(_ number: Int) throws {
            let use = InHouseUse(
                copy: nil, title: try one(titles.map(\.id) + [nil]), itemType: try one(["book", nil]),
                branch: try one(["main", nil]), usedAt: try moment())
            try transaction.inHouseUses.insert(use)
            var keys = keys(ofTitle: use.title)
            keys[.branch] = use.branch.map { [$0] }
            keys[.itemType] = use.itemType.map { [$0] }
            add("in_house", Fact(keys: keys, at: use.usedAt))
        }

        private mutating func addFee(_ number: Int) throws {
            let (patron, loan) = (try one(patrons), try one(loans + [nil]))
            let kind = try one(LedgerEntry.Kind.allCases)
            let amount = Int64.random(in: 1...500, using: &random)
            let isCredit = kind == .payment || kind == .waiver
            let at = try moment()
            _ = try transaction.ledger.insert(
                LedgerEntry(
                    key: "f\(number)", patron: patron.id, loan: loan?.id, kind: kind,
                    amount: Money(minorUnits: isCredit ? -amount : amount, currency: .eur), label: "", at: at))
            let names: [LedgerEntry.Kind: String] = [
                .fine: "fees_charged", .charge: "fees_charged", .payment: "fees_paid", .waiver: "fees_waived",
            ]
            guard let name = names[kind] else { return }
            add(
                name,
                Fact(
                    keys: [
                        .branch: loan?.branch.map { [$0] } ?? [], .category: [patron.category],
                        .itemType: loan?.itemType.map { [$0] } ?? [],
                    ], at: at, value: amount))
        }

        /// The figures as one counts them by hand.
        func expected(_ query: FigureQuery) -> FigureSums {
            var sums = FigureSums()
            for fact in facts[query.measure.name] ?? [] {
                if let at = fact.at {
                    let date = zone.date(of: at)
                    if let from = query.from, date < from { continue }
                    if let to = query.to, date > to { continue }
                }
                if fact.isImported, query.dimensions.contains(.hour) { continue }
                if query.filters.contains(where: { filter in
                    !filter.value.contains { fact.keys(filter.key, zone) == [$0] }
                }) {
                    continue
                }
                _ = sums.add(
                    fact.value, rows: fact.keys(query.rows, zone),
                    columns: query.columns.map { fact.keys($0, zone) } ?? [])
            }
            return sums
        }
    }

    /// Every way in which a measure can be split, with limits of several kinds.
    private static func queries(_ measure: FigureMeasure) throws -> [FigureQuery] {
        var queries: [FigureQuery] = []
        let spans: [(CivilDate?, CivilDate?)] = [
            (nil, nil), (try CivilDate(year: 2025, month: 3, day: 10), try CivilDate(year: 2026, month: 2, day: 1)),
        ]
        for rows in measure.dimensions {
            for columns in [nil] + measure.dimensions.filter({ $0.isForColumns && $0 != rows }).map(Optional.some) {
                let filters = measure.filters.flatMap { filter -> [[FigureDimension: [String]]] in
                    switch filter {
                    case .itemType: [[filter: ["book"]]]
                    case .branch: [[filter: ["main"]], [filter: ["main", "annex"]]]
                    default: [[filter: ["staff"]], [filter: ["staff", "patron"]]]
                    }
                }
                for filter in [[:]] + filters {
                    for (from, to) in measure.isOfTime ? spans : [(nil, nil)] {
                        queries.append(
                            FigureQuery(
                                measure: measure, rows: rows, columns: columns, from: from, to: to, filters: filter))
                    }
                }
            }
        }
        return queries
    }

    @Test("each measure, split in each way, gives what a count by hand gives", arguments: TestDriver.allCases)
    func direct(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let library = try RandomLibrary(transaction, fixture)
            for measure in FigureMeasure.all {
                #expect((library.facts[measure.name] ?? []).count > 2, "\(measure.name)")
                for query in try Self.queries(measure) {
                    let found = try transaction.statistics.figures(query, zone: library.zone, now: library.now)
                    let wanted = library.expected(query)
                    let name = "\(measure.name) \(query.dimensions) \(query.filters) \(query.from as Any)"
                    #expect(found?.total == wanted.total, "\(name)")
                    #expect(found?.rows == wanted.rows, "\(name)")
                    #expect(found?.columns == wanted.columns, "\(name)")
                    #expect(found?.cells == wanted.cells, "\(name)")
                    guard found?.cells == wanted.cells, found?.rows == wanted.rows else { return }
                }
            }
        }
    }

    @Test("more figures than anybody reads are not kept")
    func bounded() {
        var sums = FigureSums()
        let keys = (0...FigureSums.mostCells).map(String.init)
        let hasRoom = sums.add(1, rows: keys, columns: [])
        #expect(!hasRoom)
        var few = FigureSums()
        let hasRoomForFew = few.add(1, rows: ["a", "b"], columns: ["c"])
        #expect(hasRoomForFew && few.total == 1)
    }

    @Test("every measure has a name of its own, something to be split by, and a summary")
    func declared() {
        #expect(Set(FigureMeasure.all.map(\.name)).count == FigureMeasure.all.count)
        for measure in FigureMeasure.all {
            #expect(!measure.dimensions.isEmpty && !measure.summary.hasSuffix("."), "\(measure.name)")
            #expect(measure.isOfTime == measure.dimensions.contains(.month), "\(measure.name)")
        }
    }
}
