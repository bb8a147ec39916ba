import Circulation
import Desk
import Foundation
import Market
import Storage
import Testing
import TextFormats

/// A small library: a branch, two titles, three patrons, and a policy of 14 days.
struct Library {
    let store: any Store
    let clock: ManualClock
    let loader = TestLoader()
    let desk: Desk

    static let start = "2026-03-02T09:00:00Z"

    init(store: (any Store)? = nil, policy: PolicySpec? = Library.standard, actor: Actor = .desk) throws {
        let store = try store ?? StoreKind.current.store()
        self.store = store
        clock = ManualClock(try Instant(parsing: Self.start))
        let filling = Desk(store: store, policies: loader, clock: clock, actor: .desk, extensions: [MarketExtension()])
        desk = filling.acting(as: actor)
        try filling.prepare()
        try filling.write { session in
            _ = try session.settings.addCategory(Category(code: "staff", name: "Staff")).get()
            _ = try session.settings.addItemType(ItemType(code: "dvd", name: "DVD", parent: "book")).get()
            _ = try session.settings.addBranch(Branch(code: "north", name: "North")).get()
            for name in ["ada", "bob", "cyd"] {
                _ = try session.patrons.add(Self.patron(name)).get()
            }
            for (title, copies) in [("Dune", 2), ("Emma", 1), ("Ulysses", 3)] {
                let added = try session.catalogue.add(Title(title: title, authors: ["A. \(title)"])).get()
                _ = try session.catalogue.addCopies(of: .id(added.id), count: copies).get()
            }
        }
        if let policy { try use(policy, "standard") }
    }

    static func patron(_ name: String) -> Patron {
        Patron(
            username: name, name: name.capitalized, surname: "\(name.capitalized)sson", email: "\(name)@example.org",
            category: "patron", homeBranch: "main", extra: ["shoe_size": 40])
    }

    /// 14 days, two renewals, a limit of five, 20 cents a day.
    static let standard = PolicySpec(tables: tables())

    static func tables(limit: Int64 = 5, fields: [String: RuleValue] = [:], notices: [NoticeRow] = []) -> PolicyTables {
        let eur = Currency.eur
        var all: [String: RuleValue] = [
            "loan": .period(.days(14)), "renewals": .integer(2), "fine": .money(Money(minorUnits: 20, currency: eur)),
            "fine_cap": .money(Money(minorUnits: 1000, currency: eur)),
        ]
        all.merge(fields) { $1 }
        let place = SourcePlace(file: "policy.lua", line: 3)
        return PolicyTables(
            limits: [LimitRow(conditions: RowConditions(), maximum: limit, place: place)],
            rules: [RuleRow(conditions: RowConditions(), fields: all, place: place)], notices: notices)
    }

    static func notice(
        _ stage: String, before: Period? = nil, after: Period? = nil, charge: Int64? = nil, channel: String = "email"
    ) -> NoticeRow {
        NoticeRow(
            stage: stage, before: before, after: after,
            charge: charge.map { Money(minorUnits: $0, currency: .eur) }, channel: channel,
            subject: "\(stage): {{title.title}}",
            body: "Dear {{patron.name}}, {{title.title}} is due on {{loan.due}}.",
            place: SourcePlace(file: "policy.lua", line: 9))
    }

    func use(_ policy: PolicySpec, _ name: String) throws {
        let bundle = loader.bundle(policy, name)
        _ = try desk.acting(as: .desk).write { try $0.policies.activate(bundle, note: "test").get() }
    }

    func pass(days: Int64) throws {
        try clock.advance(microseconds: days * 86_400 * 1_000_000)
    }

    func lend(_ patron: String, _ titles: Int64...) throws -> Outcome<[Loan]> {
        try desk.write { session in
            try session.loans.checkout(
                CheckoutRequest(patron: .username(patron), wanted: .titles(titles.map { .id($0) })))
        }
    }

    func id(_ patron: String) throws -> Int64 {
        try #require(try desk.read { try $0.patrons.get(.username(patron)) }).id
    }

    func owed(_ patron: String) throws -> Int64 {
        try desk.read { try $0.fees.owed(by: .username(patron)) }.minorUnits
    }

    func events<Content>(_ kind: EventKind<Content>) throws -> [Event] {
        try desk.read { try $0.events.list(EventQuery(kind: kind.name)) }
    }

    func refusals() throws -> [RefusedRequest] {
        try events(.requestRefused).compactMap { event in
            try event.body()[.requestRefused]
        }
    }

    /// Expects that the store is sound.
    func expectSound(_ place: SourceLocation = #_sourceLocation) throws {
        let report = try desk.examine()
        #expect(report.broken.isEmpty, sourceLocation: place)
    }
}

struct WasRefused: Error {
    let refusal: Refusal
}

extension Outcome {
    /// The value of what must have been done.
    func get() throws -> Value {
        switch self {
        case .done(let value): return value
        case .refused(let refusal): throw WasRefused(refusal: refusal)
        }
    }
}

/// A folder that goes when it is no longer needed.
final class ScratchFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func store(_ name: String = "desk.db") throws -> SQLiteStore {
        try SQLiteStore.open(.file(path + "/" + name), create: true)
    }

    /// The bytes of all files in it.
    func bytes() throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().reduce(into: Data()) { data, name in
            data += try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
        }
    }
}
