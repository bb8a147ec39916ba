import Circulation
import TextFormats

// What is gathered only for policies that read it.
extension CaseMaker {
    /// Loans of the past, around the windows that rows of `limits` have, and since when something is owed.
    mutating func addHistory(to object: inout JSONObject, _ moment: CaseMoment) {
        addTimesLent(to: &object, moment)
        guard var patron = object["patron"]?.objectValue else { return }
        let limits = vocabulary.windows
        if !limits.isEmpty || vocabulary.reads.contains("history"), random.chance(0.7) {
            let loans = (0..<count(upTo: 30)).map { _ in pastLoan(of: object, limits, moment) }
            if !loans.isEmpty {
                patron["history"] = .array(loans)
                let first = (try? moment.today.adding(days: -400)) ?? moment.today
                patron["history_since"] = .string("\(first)T00:00:00")
            }
        }
        let debts = vocabulary.debts
        if !debts.isEmpty || vocabulary.reads.contains("owed_since"), random.chance(0.6) {
            let near = random.pick(debts).map { $0 + Int64.random(in: -1...1, using: &random) }
            if let since = try? moment.today.adding(days: -max(0, near ?? count(upTo: 400))) {
                patron["owed_since"] = .string(since.description)
                if patron["fees_owed"] == nil || patron["fees_owed"] == "0.00" { patron["fees_owed"] = "1.00" }
            }
        }
        addGroups(to: &patron)
        object["patron"] = .object(patron)
    }

    /// What those have and owe to whom the patron is linked, who have no less than the patron where these are among them.
    private mutating func addGroups(to patron: inout JSONObject) {
        for group in vocabulary.groups where random.chance(0.8) {
            let near = random.pick(vocabulary.groupDebts).map { owed in
                let cents = max(0, owed.minorUnits + Int64.random(in: -1...1, using: &random))
                return JSON.string(Money(minorUnits: cents, currency: owed.currency).description)
            }
            let owed = random.chance(0.6) ? near ?? amount() : amount()
            let own = patron["loans"]?.arrayValue?.count ?? 0
            let loans = count(upTo: 40) + (group.hasPatron ? Int64(own) : 0)
            var facts: JSONObject = [
                "people": .integer(max(1, count(upTo: 8))), "loans": .integer(loans),
                "overdue": .integer(min(loans, count(upTo: 5))),
                "owed": owed,
            ]
            if vocabulary.looksAtClaims { facts["claimed"] = .integer(min(loans, count(upTo: 5))) }
            if vocabulary.looksAtTitlesOfGroups {
                let same = min(loans, count(upTo: 5))
                facts["same_title"] = .integer(same)
                if vocabulary.looksAtClaims { facts["same_title_claimed"] = .integer(min(same, count(upTo: 3))) }
            }
            patron[group.rawValue] = .object(facts)
        }
        if let owed = random.pick(vocabulary.groupDebts), random.chance(0.4) {
            let near = max(0, owed.minorUnits + Int64.random(in: -1...1, using: &random))
            patron["fees_owed"] = .string(Money(minorUnits: near, currency: owed.currency).description)
        }
    }

    private mutating func pastLoan(of object: JSONObject, _ windows: [Int64], _ moment: CaseMoment) -> JSON {
        let asked = object["copy"]?["item_type"]?.stringValue
        var loan: JSONObject = ["item_type": .string(random.chance(0.8) ? asked ?? itemType() : itemType())]
        if let branch = object["branch"] { loan["branch"] = branch }
        let near = random.pick(windows).map { $0 + Int64.random(in: -1...1, using: &random) }
        let days = random.chance(0.6) ? max(1, near ?? 1) : Int64.random(in: 1...200, using: &random)
        if let lent = try? moment.today.adding(days: -days) {
            loan["lent_at"] = .string("\(lent)T10:00:00")
            if random.chance(0.7) { loan["returned_at"] = .string("\(lent)T12:00:00") }
        }
        if random.chance(0.5) { loan["title"] = 1 }
        addMarks(to: &loan)
        return .object(loan)
    }

    /// Holds on the copy's own item type, and at least as many on the types above it.
    mutating func addHeldTypes(to hold: inout JSONObject) {
        guard vocabulary.countsHeldTypes, random.chance(0.7) else { return }
        let own = count(upTo: 60)
        hold["of_item_type"] = .integer(own)
        if random.chance(0.5) { hold["of_item_types"] = [.integer(own), .integer(own + count(upTo: 60))] }
    }

    private mutating func addTimesLent(to object: inout JSONObject, _ moment: CaseMoment) {
        guard vocabulary.reads.contains("times_lent"), random.chance(0.6), object["title"]?.isNull != true else {
            return
        }
        var title = object["title"]?.objectValue ?? [:]
        title["times_lent"] = .integer(count(upTo: CaseNeeds.mostTimesLent))
        title["times_lent_since"] = .string("\((try? moment.today.adding(days: -400)) ?? moment.today)T00:00:00")
        object["title"] = .object(title)
    }
}

extension LimitRow {
    /// About how many days its window has, nil without one.
    var windowDays: Int64? { within?.days }
    /// For how many days something is owed, nil where it does not ask.
    var debtDays: Int64? { owedFor?.days }
}

extension Period {
    fileprivate var days: Int64 {
        switch unit {
        case .days, .openDays: count
        case .weeks: count * 7
        case .months: count * 30
        case .hours: count / 24
        case .minutes: count / 1_440
        }
    }
}
