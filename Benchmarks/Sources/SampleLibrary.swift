import Circulation
import Desk
import Interchange
import Scripting

/// A library of a given size, the same every time.
package struct SampleLibrary {
    package struct Size: Hashable {
        package var patrons: Int
        /// Two copies each.
        package var titles: Int
        /// At most one a title.
        package var openLoans: Int

        var copies: Int { titles * 2 }

        package init(patrons: Int, titles: Int, openLoans: Int) {
            self.patrons = patrons
            self.titles = titles
            self.openLoans = openLoans
        }

        static let full = Size(patrons: 20_000, titles: 100_000, openLoans: 100_000)
    }

    /// A Monday morning in term.
    static let now = Instant(seconds: 1_794_823_200)
    static let branches = ["central", "north", "south", "east", "west"]
    static let categories = [
        ("undergraduate", 50), ("graduate", 15), ("staff", 5), ("public", 12), ("child", 15), ("guest", 3),
    ]
    static let itemTypes = [
        ("book", 55), ("dvd", 15), ("periodical", 8), ("map", 7), ("reference", 3), ("bluray", 5), ("laptop", 2),
        ("cd", 5),
    ]

    let size: Size

    static func username(_ number: Int) -> String { "reader\(number)" }
    static func barcode(_ number: Int) -> String { String(39_041_000_000_000 + number) }

    /// Fills a fresh store.
    func fill(_ desk: Desk, policy: PolicyBundle) throws {
        var chance = SeededGenerator(seed: 42)
        try desk.prepare()
        try desk.write { session in
            _ = try session.policies.activate(policy)
            try Self.addSettings(session)
        }
        try inPages(of: size.titles, desk) { number, session in try addTitle(number, session, &chance) }
        try inPages(of: size.patrons, desk) { number, session in try addPatron(number, session, &chance) }
        try inPages(of: size.openLoans, desk) { number, session in try addLoan(number, session, &chance) }
    }

    private func inPages(of count: Int, _ desk: Desk, _ body: (Int, DeskSession) throws -> Void) throws {
        for start in stride(from: 0, to: count, by: 10_000) {
            try desk.write { session in
                for number in start..<min(start + 10_000, count) { try body(number, session) }
            }
        }
    }

    // MARK: - Records

    static func addSettings(_ session: DeskSession) throws {
        let hours = try OpeningHours(CivilTime(hour: 9, minute: 0), to: CivilTime(hour: 19, minute: 0))
        let calendar = try OpeningCalendar(
            weekly: Array(repeating: [hours], count: 6) + [[]],
            yearly: [OpeningCalendar.YearlyClosure(MonthDay(month: 12, day: 24), through: MonthDay(month: 1, day: 1))])
        for code in branches {
            let branch = Branch(code: code, name: code, zone: try Zone(named: "Europe/Berlin"), calendar: calendar)
            _ = try session.imports.branch(branch)
        }
        for (code, _) in categories { _ = try session.imports.category(Category(code: code, name: code)) }
        for (code, _) in itemTypes { _ = try session.imports.itemType(ItemType(code: code, name: code)) }
    }

    private func addTitle(_ number: Int, _ session: DeskSession, _ chance: inout SeededGenerator) throws {
        let words = ["A history of", "The art of", "Notes on", "Beyond", "An introduction to"]
        let things = ["rivers", "logic", "glass", "migration", "algebra", "gardens", "light", "trade", "bees", "law"]
        let word = words.randomElement(using: &chance) ?? ""
        let thing = things.randomElement(using: &chance) ?? ""
        let title = Title(
            isbn: try Self.isbn(number), title: "\(word) \(thing) \(number)", authors: ["Author \(number % 9_973)"],
            year: Int64.random(in: 1_900...2_026, using: &chance), language: "en", genres: [thing],
            courses: number % 40 == 0 ? [Course(code: "C\(number)")] : [])
        let added = try added(session.imports.title(title))
        let itemType = Self.pick(Self.itemTypes, &chance)
        for place in 1...2 {
            let branch = Self.branches.randomElement(using: &chance) ?? ""
            let copy = Copy(
                barcode: Self.barcode(number * 2 + place), title: added.id, branch: branch, itemType: itemType)
            _ = try self.added(session.imports.copy(copy))
        }
    }

    private func addPatron(_ number: Int, _ session: DeskSession, _ chance: inout SeededGenerator) throws {
        let isExpired = Int.random(in: 0..<100, using: &chance) < 3
        let age = Int64.random(in: 6...90, using: &chance)
        let today = Zone.utc.date(of: Self.now)
        let patron = Patron(
            username: Self.username(number), name: "Given \(number % 997)", surname: "Family \(number % 4_999)",
            email: "reader\(number)@example.org", category: Self.pick(Self.categories, &chance),
            homeBranch: Self.branches.randomElement(using: &chance) ?? "", language: "en",
            birthDate: try today.adding(days: -age * 365 - 100),
            expiresOn: try today.adding(
                days: isExpired ? .random(in: -300 ... -1, using: &chance) : .random(in: 30...1_500, using: &chance)))
        let added = try added(session.imports.patron(patron))
        if Int.random(in: 0..<4, using: &chance) == 0 {
            let amount = Money(minorUnits: .random(in: 10...600, using: &chance), currency: .eur)
            _ = try session.fees.charge(.id(added.id), amount: amount, label: "Fine")
        }
    }

    /// The first copy of a title is lent, the second one stays on the shelf.
    private func addLoan(_ number: Int, _ session: DeskSession, _ chance: inout SeededGenerator) throws {
        let title = number % size.titles
        let isOverdue = Int.random(in: 0..<100, using: &chance) < 30
        let days: Int64 = isOverdue ? .random(in: -90 ... -1, using: &chance) : .random(in: 0...40, using: &chance)
        let due = try Self.now.adding(hours: days * 24 + 1)
        guard
            let patron = try session.patrons.get(
                .username(Self.username(.random(in: 0..<size.patrons, using: &chance)))),
            let copy = try session.catalogue.copy(barcode: Self.barcode(title * 2 + 1))
        else { throw BenchFailure("the sample library has holes") }
        let loan = Loan(
            copy: copy.id, patron: patron.id, lentAt: try due.adding(hours: -21 * 24),
            due: DueTime(instant: due, date: Zone.utc.date(of: due), isExact: false), channel: .desk,
            importKey: "loan \(number)")
        _ = try added(session.imports.loan(loan))
    }

    private func added<Record>(_ imported: Imported<Record>) throws -> Record {
        switch imported {
        case .added(let record): return record
        case .updated, .unchanged: throw BenchFailure("a record of the sample library was there already")
        case .rejected(let refusal): throw BenchFailure("the sample library was rejected: \(refusal.reasons)")
        }
    }

    // MARK: - Chance

    private static func pick(_ weighted: [(String, Int)], _ chance: inout SeededGenerator) -> String {
        var place = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.1 }, using: &chance)
        for (value, weight) in weighted {
            place -= weight
            if place < 0 { return value }
        }
        return ""
    }

    private static func isbn(_ number: Int) throws -> ISBN {
        let digits = Array(String(978_000_000_000 + number)).compactMap(\.wholeNumberValue)
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        return try ISBN(digits.map(String.init).joined() + String((10 - sum % 10) % 10))
    }
}
