import Circulation
import Desk
import Scripting
import Storage
import TestSupport
import Testing
import TextFormats

@testable import Workbench

/// What a replay says when it asks only what can differ, held against what it says when it asks everything.
@Suite("Reports of replays under policies written at random")
struct ReplayReportTests {
    /// A policy in rows of Lua.
    private struct Rows {
        var limits: [[String: String]]
        var rules: [[String: String]]
        var notices: [[String: String]]
        var fees: Int
        var loans: Int
        var asksOfNotices: Bool

        var source: String {
            func table(_ rows: [[String: String]]) -> String {
                rows.map { row in
                    "        { "
                        + row.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
                        + " },"
                }.joined(separator: "\n")
            }
            let overdue = """
                    overdue = function(case)
                        if case.loan.days_overdue > \(loans * 4) and case.patron.overdue > 1 then
                            return { charges = { { key = "many", amount = money "0.\(10 + loans)", label = "Many" } } }
                        end
                    end,
                """
            return """
                -- For a trial.
                return policy {
                    limits = {
                \(table(limits))
                    },
                    rules = {
                \(table(rules))
                    },
                    notices = {
                \(table(notices))
                    },
                    checkout = function(case)
                        if case.patron.fees_owed > money "\(fees).50" and #case.patron.loans >= \(loans) then
                            return deny("owes", "Please pay first.")
                        end
                    end,
                \(asksOfNotices ? overdue : "")
                }
                """
        }

        var bundle: PolicyBundle {
            let files = [PolicyBundle.File(name: "random.lua", source: source)]
            return PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files)
        }
    }

    // MARK: - Chance

    private static func number(_ range: ClosedRange<Int>, _ random: inout SplitMix) -> Int {
        Int.random(in: range, using: &random)
    }

    /// A value of a field of a rule.
    private static func value(of field: String, _ random: inout SplitMix) -> String {
        let some = number(1...20, &random)
        switch field {
        case "loan": return "days(\(some))"
        case "renewals", "holds": return "\(some % 4)"
        case "fine": return "money \"0.\(10 + some)\""
        case "fine_cap": return "money \"\(some).00\""
        case "grace", "suspension": return "days(\(some % 5))"
        case "rental": return "money \"0.\(10 + some * 2)\""
        case "lost_after": return "days(\(10 + some))"
        case "lost_fee": return "money \"\(some).00\""
        case "lend": return some % 3 == 0 ? "false" : "true"
        default: return "function(case) return #case.title.genres > \(some % 2) end"
        }
    }

    private static let fields = [
        "loan", "renewals", "fine", "fine_cap", "grace", "suspension", "rental", "lost_after", "lost_fee", "lend",
        "when",
        "holds",
    ]

    private static func rule(_ random: inout SplitMix) -> [String: String] {
        var row: [String: String] = [:]
        if Bool.random(using: &random) { row["category"] = ["\"staff\"", "\"child\""].randomElement(using: &random) }
        if row.isEmpty || Bool.random(using: &random) { row["item_type"] = "\"dvd\"" }
        for field in fields.shuffled(using: &random).prefix(number(1...3, &random)) {
            row[field] = value(of: field, &random)
        }
        if row["loan"] == nil, row["when"] != nil { row["loan"] = value(of: "loan", &random) }
        return row
    }

    private static func notice(_ stage: String, _ random: inout SplitMix) -> [String: String] {
        let days = "days(\(number(1...5, &random)))"
        var row = [
            "stage": "\"\(stage)\"", stage == "soon" ? "before" : "after": days, "channel": "\"email\"",
            "subject": "\"S\"", "body": "\"B\"",
        ]
        if stage == "late", Bool.random(using: &random) { row["charge"] = "money \"0.\(number(10...90, &random))\"" }
        if stage == "late", Bool.random(using: &random) { (row["every"], row["times"]) = ("days(7)", "2") }
        return row
    }

    private static func policy(_ random: inout SplitMix) -> Rows {
        let last = [
            "loan": value(of: "loan", &random), "renewals": "2", "fine": value(of: "fine", &random),
            "fine_cap": "money \"9.00\"",
            "holds": "3",
        ]
        return Rows(
            limits: [
                ["item_type": "\"dvd\"", "max": "\(number(0...2, &random))"], ["max": "\(number(1...4, &random))"],
            ],
            rules: (0..<number(0...3, &random)).map { _ in rule(&random) } + [last],
            notices: [notice("soon", &random), notice("late", &random)], fees: number(0...5, &random),
            loans: number(0...3, &random), asksOfNotices: number(0...4, &random) == 0)
    }

    /// The same policy with another row, another value, or another function.
    private static func changed(_ rows: Rows, _ random: inout SplitMix) -> Rows {
        var rows = rows
        switch number(0...9, &random) {
        case 0: rows.limits[number(0...1, &random)]["max"] = "\(number(0...4, &random))"
        case 1: rows.notices[number(0...1, &random)] = notice(["soon", "late"][number(0...1, &random)], &random)
        case 2: rows.rules.insert(rule(&random), at: 0)
        case 3: if rows.rules.count > 1 { rows.rules.removeFirst() }
        case 4: rows.fees += 1
        case 5: rows.loans += 1
        case 6: rows.asksOfNotices.toggle()
        default:
            let row = number(0...rows.rules.count - 1, &random)
            let known = Self.fields.filter { rows.rules[row][$0] != nil }
            guard let field = known.randomElement(using: &random) else { return rows }
            rows.rules[row][field] = value(of: field, &random)
        }
        return rows
    }

    // MARK: - A library

    private static func library(_ store: any Store, _ clock: ManualClock) throws -> Desk {
        let desk = Desk(store: store, policies: LuaPolicyLoader(), clock: clock, actor: .desk, extensions: [])
        try desk.prepare()
        try desk.write { session in
            for code in ["staff", "child"] {
                _ = try session.settings.addCategory(Category(code: code, name: code))
            }
            _ = try session.settings.addItemType(ItemType(code: "dvd", name: "DVD"))
            for (name, category) in [("ada", "patron"), ("bob", "child"), ("cyd", "staff"), ("dee", "patron")] {
                _ = try session.patrons.add(
                    Patron(
                        username: name, name: name, surname: name, email: "\(name)@example.org", category: category,
                        homeBranch: "main")
                )
            }
            for number in 0..<4 {
                let genres = Array(["novel", "film"].prefix(number % 3))
                guard case .done(let title) = try session.catalogue.add(Title(title: "T \(number)", genres: genres))
                else {
                    continue
                }
                _ = try session.catalogue.addCopies(
                    of: .id(title.id), count: 2, itemType: number % 2 == 0 ? "book" : "dvd"
                )
            }
        }
        return desk
    }

    private struct Stopped: Error {}

    private static func live(_ desk: Desk, _ clock: ManualClock, _ random: inout SplitMix) throws {
        let patron = PatronKey.id(Int64(number(1...4, &random)))
        let title = TitleKey.id(Int64(number(1...4, &random)))
        let loan = LoanKey.id(Int64(number(1...40, &random)))
        let days = Int64(number(0...6, &random))
        switch number(0...13, &random) {
        case 0...4:
            let request = CheckoutRequest(patron: patron, wanted: .titles([title]))
            _ = try desk.write { try $0.loans.checkout(request) }
        case 5, 6: _ = try desk.write { try $0.loans.checkin(loan) }
        case 7: _ = try desk.write { try $0.loans.checkin(loan, at: $0.now.adding(hours: -24 * days)) }
        case 8: _ = try desk.write { try $0.loans.renew(loan) }
        case 9:
            let request = HoldRequest(patron: patron, wanted: .title(title), pickupBranch: "main")
            _ = try desk.write { try $0.holds.place(request) }
        case 10:
            let amount = Money(minorUnits: days * 30 + 1, currency: .eur)
            _ = try desk.write { try $0.fees.pay(patron, amount: amount) }
        case 11: _ = try? desk.sweep(pageSize: 1) { _ in throw Stopped() }
        default:
            try clock.advance(microseconds: days * 86_400_000_000)
            _ = try desk.sweep()
        }
    }

    private static func stores() throws -> [any Store] {
        guard !PostgresServer.isMissing else { return [try SQLiteStore.memory()] }
        let server = try PostgresServer.shared
        let name = try server.database(like: "replay_template") { (url) throws in
            try PostgresStore.open(url, create: true).close()
        }
        return [try SQLiteStore.memory(), try PostgresStore.open(server.url(name))]
    }

    // MARK: - Reports

    /// All that is written of a replay but how much was asked.
    private static func report(_ replay: PolicyReplay) throws -> [String] {
        var json = ""
        try replay.writeJSON { json += $0 }
        let end = try #require(json.firstRange(of: ",\"effort\":"))
        return [String(json[..<end.lowerBound]), replay.page]
    }

    @Test("is byte for byte that of asking everything, over either store", arguments: Array(1...16) as [UInt64])
    func sameReport(seed: UInt64) throws {
        for store in try Self.stores() {
            var random = SplitMix(seed: seed)
            let clock = ManualClock(try Instant(parsing: "2026-03-02T09:00:00Z"))
            let desk = try Self.library(store, clock)
            let rows = Self.policy(&random)
            _ = try desk.write { try $0.policies.activate(rows.bundle, note: "") }
            for step in 0..<90 {
                try Self.live(desk, clock, &random)
                guard step == 45, seed % 3 == 0 else { continue }
                let other = Self.changed(rows, &random).bundle
                _ = try desk.write { try $0.policies.activate(other, note: "", retroactive: seed % 2 == 0) }
            }
            for _ in 0..<3 {
                let candidate = Self.changed(rows, &random)
                var plan = ReplayPlan()
                if Bool.random(using: &random) { plan.from = try Instant(parsing: "2026-03-20T00:00:00Z") }
                if Bool.random(using: &random) { plan.until = try Instant(parsing: "2026-05-01T00:00:00Z") }
                let selected = try PolicyReplay(of: candidate.bundle, plan, at: desk)
                plan.asksAll = true
                let whole = try PolicyReplay(of: candidate.bundle, plan, at: desk)
                #expect(try Self.report(selected) == Self.report(whole), "seed \(seed)\n\(candidate.source)")
                #expect(selected.summary.effort.requests.all == whole.summary.effort.requests.asked)
            }
            try store.close()
        }
    }

    @Test("of most changes little is asked")
    func little() throws {
        let clock = ManualClock(try Instant(parsing: "2026-03-02T09:00:00Z"))
        let desk = try Self.library(try SQLiteStore.memory(), clock)
        var random = SplitMix(seed: 5)
        var rows = Self.policy(&random)
        rows.asksOfNotices = false
        rows.rules.insert(["item_type": "\"dvd\"", "category": "\"staff\"", "loan": "days(5)"], at: 0)
        _ = try desk.write { try $0.policies.activate(rows.bundle, note: "") }
        for _ in 0..<200 { try Self.live(desk, clock, &random) }
        rows.rules[0]["loan"] = "days(6)"
        let replay = try PolicyReplay(of: rows.bundle, ReplayPlan(), at: desk)
        let effort = replay.summary.effort
        #expect(effort.requests.all > 60 && effort.requests.asked * 2 < effort.requests.all, "\(effort)")
        #expect(effort.notices.asked == 0 && replay.unknown == [], "\(replay.effort)")
    }
}
