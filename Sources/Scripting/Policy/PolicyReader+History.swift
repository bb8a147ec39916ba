import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

// How far a policy looks back.
extension PolicyReader {
    /// `history = { patron = days(90), title = days(30) }`.
    mutating func readHistory(_ value: LuaValue) {
        let key = PolicyKey.history.rawValue
        let place = outline?[key]
        guard let table = value.tableValue, table.array.isEmpty, !table.entries.isEmpty else {
            return expect("periods by name, such as { patron = days(90) }", of: key, value, at: place)
        }
        for entry in table.entries {
            guard let name = entry.key.stringValue, PolicyKey.historyFields.contains(name) else {
                let name = entry.key.stringValue ?? Self.words(entry.key)
                complain(
                    "unknown_rule_field", "history has no '\(SafeText.line(name))': it takes patron and title",
                    at: place?.value.range, suggestion: NameSuggestion.nearest(to: name, among: PolicyKey.historyFields)
                )
                continue
            }
            guard let period = entry.value.periodValue, period.isWindow else {
                expect(Self.window, of: "history.\(name)", entry.value, at: place)
                continue
            }
            if name == "patron" {
                content.tables.patronHistory = period
            } else {
                content.tables.titleHistory = period
            }
        }
    }

    private static let window = "a period such as days(90), of a hundred years at most and not of open days"

    /// A row of `limits`, without its number.
    mutating func limitRow(_ row: ReadRow, _ conditions: RowConditions, maximum: Int64?) -> LimitRow {
        var limit = LimitRow(conditions: conditions, maximum: maximum, place: row.place)
        if let value = row["within"] {
            if let period = value.periodValue, period.isWindow {
                limit.within = period
            } else {
                expect(Self.window, in: row, "within", value)
            }
        }
        if let value = row["per"] {
            if value.stringValue == "title" {
                limit.isPerTitle = true
            } else {
                expect("\"title\"", in: row, "per", value)
            }
        }
        if let value = row["owed_for"] {
            if let period = value.periodValue, !period.isElapsed, (0...36_525).contains(period.count) {
                limit.owedFor = period
            } else {
                expect("a period such as days(60), of days or longer", in: row, "owed_for", value)
            }
        }
        readGroup(row, &limit)
        if maximum == nil, !limit.countsOpenLoans {
            complain(
                "wrong_type", "\(row.title): where max is unlimited nothing is counted; leave out within, per and of",
                at: row.outline?.range)
        }
        if limit.within != nil, let maximum, maximum > CaseNeeds.mostHistory {
            complain(
                "wrong_type",
                "\(row.title): max must be at most \(CaseNeeds.mostHistory) with within: no more loans are looked at",
                at: row.range(of: "max"))
        }
        return limit
    }

    /// Whose loans and debts the row is about.
    private mutating func readGroup(_ row: ReadRow, _ limit: inout LimitRow) {
        if let value = row["owed"] {
            if let owed = value.moneyValue, owed.isPositive {
                limit.owed = owed
            } else {
                expect("an amount such as money \"10.00\"", in: row, "owed", value)
            }
        }
        guard let value = row["of"] else { return }
        guard let group = value.stringValue.flatMap(PatronGroup.init(rawValue:)) else {
            let words = PatronGroup.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            return expect("one of \(words)", in: row, "of", value)
        }
        limit.of = group
        if limit.within != nil {
            complain(
                "wrong_type",
                "\(row.title): with of all open loans count, and none that were returned; leave out within",
                at: row.range(of: "of"))
        }
        // No loans at all may be for an item type.
        if limit.maximum != 0, let field = Self.loanConditions.first(where: { row[$0] != nil }) {
            complain(
                "wrong_type", "\(row.title): with of all open loans count, whatever they are; leave out \(field)",
                at: row.range(of: field))
        }
    }

    private static let loanConditions = ["item_type", "branch", "copy_branch", "location", "on_site", "channel"]
}
