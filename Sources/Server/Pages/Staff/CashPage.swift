import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The cash desk: who owes, and what a day's till has to hold, by kind and by whom; receipts.
enum CashPage: PageGroup {
    static let templates = [PageTemplate("cash", PackageResources.cash_mustache)]

    /// So many debtors are listed.
    private static let mostDebtors: Int64 = 50
    /// So many lines of an account are looked through for a receipt.
    private static let mostLines: Int64 = 1_000

    static let pages = [
        Page.shown("/desk/cash", .staff, view),
        Page.shown("/desk/cash/closing", .staff) { call in
            let closing = try TillClosing(on: try day(call), call)
            return closing.slip.view(title: say("End-of-day report"), back: "/desk/cash?day=\(closing.day)", call)
        },
        Page.shown("/desk/patrons/{patron}/receipt", .staff) { call in
            let (patron, lines) = try account(call)
            let today = call.words.today
            let zone = call.library.zone
            return try receipt(patron, call) {
                lines.filter { line in
                    guard let at = line["at"]?.stringValue, let instant = try? Instant(parsing: at) else {
                        return false
                    }
                    return zone.date(of: instant).description == today
                }
            }
        },
        Page.shown("/desk/patrons/{patron}/receipt/{entry}", .staff) { call in
            let (patron, lines) = try account(call)
            guard let entry = Int64(call.values[1]),
                let line = lines.first(where: { $0["id"]?.integerValue == entry })
            else { throw Problem.notFound }
            return try receipt(patron, call) { [line] }
        },
        Page.shown("/desk/patrons/{patron}/loans", .staff) { call in
            let (patron, _) = try account(call)
            let name = PatronFields.name(patron)
            var slip = Slip(heading: name, about: say("On loan"))
            for loan in try call.list("/patrons/\(patron["id"]?.integerValue ?? 0)/loans", ["limit": 200]) {
                let title =
                    try call.titleName(loan["title"]?.integerValue).map(PageWords.safe) ?? say("A removed title")
                let due = call.words.moment(loan["due_at"])?["words"] as? String
                slip.add(title, due.map { say("due \($0)") } ?? say("without a due date"))
            }
            return slip.view(title: say("Loans"), back: "/desk?id=\(patron["id"]?.integerValue ?? 0)", call)
        },
    ]

    // MARK: - Receipts

    private static func account(_ call: PageCall) throws -> (patron: JSON, lines: [JSON]) {
        guard let id = Int64(call.values[0]) else { throw Problem.notFound }
        let patron = try call.record("/patrons/\(id)")
        return (patron, try call.list("/patrons/\(id)/ledger", ["latest": true, "limit": .integer(mostLines)]))
    }

    private static func receipt(_ patron: JSON, _ call: PageCall, _ lines: () -> [JSON]) throws -> PageView {
        let id = patron["id"]?.integerValue ?? 0
        var slip = Slip(heading: PatronFields.name(patron), about: say("Receipt, patron \(id)"))
        for line in lines().reversed() {
            slip.add(try LedgerFields.words(line, call), PageWords.money(line["amount"]))
        }
        let owed = try call.record("/patrons/\(id)/fees").stringValue ?? ""
        slip.sum(
            owed.hasPrefix("-") ? say("Credit") : say("Still owed"),
            PageWords.money(.string(owed.hasPrefix("-") ? String(owed.dropFirst()) : owed)) ?? "")
        return slip.view(title: say("Receipt"), back: "/desk/patrons/\(id)", call)
    }

    // MARK: - The page

    private static func day(_ call: PageCall) throws -> CivilDate {
        let today = call.library.zone.date(of: call.now)
        guard let text = call.query.text("day") else { return today }
        guard let day = try? CivilDate(parsing: text), day <= today,
            let first = try? today.adding(days: -TillClosing.mostDays), day >= first
        else { throw Problem.input("The day must be one of the last \(TillClosing.mostDays) days, such as \(today).") }
        return day
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let day: CivilDate
        var fields: [String: Any] = [:]
        do {
            day = try Self.day(call)
        } catch let problem as Problem {
            day = call.library.zone.date(of: call.now)
            fields["wrong"] = PageWords.sentence(problem.detail)
        }
        let closing = try TillClosing(on: day, call)
        fields["day"] = day.description
        fields["today"] = call.words.today
        fields["words"] = PageWords.words(day)
        fields["sums"] = closing.sums
        fields["people"] = closing.people
        fields["taken"] = closing.taken
        fields["debtors"] = try call.list("/debtors", ["limit": .integer(mostDebtors)]).map { debtor -> [String: Any] in
            let patron = debtor["patron"] ?? .null
            return [
                "link": "/desk/patrons/\(patron["id"]?.integerValue ?? 0)#fees", "name": PatronFields.name(patron),
                "owed": PageWords.money(debtor["owed"]) ?? "",
            ]
        }
        return PageView(
            template: "cash", title: say("Cash desk"), fields: fields, status: fields["wrong"] == nil ? 200 : 422)
    }
}

/// What was posted to accounts on one day at the desk, by kind and by whom.
struct TillClosing {
    /// How many days back a closing goes; the reports have what is older.
    static let mostDays: Int64 = 62

    let day: CivilDate
    let sums: [[String: Any]]
    let people: [[String: Any]]
    /// Payments less refunds.
    let taken: String
    private let heading: String

    /// - Throws: what the store throws.
    init(on day: CivilDate, _ call: PageCall) throws {
        self.day = day
        let zone = call.library.zone
        let next = try day.adding(days: 1)
        let lines = try call.context.look {
            try $0.fees.posted(from: zone.startOfDay(day), until: zone.startOfDay(next))
        }
        let currency = call.library.currency
        func words(_ units: Int64) -> String {
            PageWords.money(.string(Money(minorUnits: units, currency: currency).description)) ?? ""
        }
        var byKind: [LedgerEntry.Kind: (count: Int64, units: Int64)] = [:]
        var byPerson: [String: [LedgerEntry.Kind: Int64]] = [:]
        for line in lines {
            let units = line.entry.amount.minorUnits
            byKind[line.entry.kind, default: (0, 0)].count += 1
            byKind[line.entry.kind, default: (0, 0)].units += units
            byPerson[line.actor, default: [:]][line.entry.kind, default: 0] += units
        }
        sums = LedgerEntry.Kind.allCases.compactMap { kind in
            byKind[kind].map {
                ["kind": LedgerFields.name(kind), "count": "\($0.count)", "amount": words($0.units)]
            }
        }
        func till(_ kinds: [LedgerEntry.Kind: Int64]) -> Int64 { -(kinds[.payment] ?? 0) - (kinds[.refund] ?? 0) }
        people = try byPerson.sorted { $0.key < $1.key }.compactMap { actor, kinds in
            guard kinds[.payment] != nil || kinds[.refund] != nil else { return nil }
            let name = try call.context.look { try $0.events.person(ofActor: actor) }
            return [
                "who": PageWords.safe(name), "paid": words(-(kinds[.payment] ?? 0)),
                "refunded": words(kinds[.refund] ?? 0), "till": words(till(kinds)),
            ]
        }
        taken = words(byPerson.values.reduce(0) { $0 + till($1) })
        heading = PageWords.words(day)
    }

    /// For printing.
    var slip: Slip {
        var slip = Slip(heading: heading, about: say("End-of-day report"))
        for sum in sums {
            slip.add("\(sum["kind"] ?? ""), \(sum["count"] ?? "")", sum["amount"] as? String)
        }
        for person in people { slip.add(say("Taken by \("\(person["who"] ?? "")")"), person["till"] as? String) }
        slip.sum(say("In the till"), taken)
        return slip
    }
}
