import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

// When memberships end.
extension PolicyReader {
    mutating func readMembership(_ row: ReadRow) {
        complainOfUnknown(in: row)
        var membership = MembershipRow(conditions: conditions(of: row), place: row.place)
        membership.fromAge = age(row, "from_age")
        membership.underAge = age(row, "under_age")
        readLength(of: row, into: &membership)
        readDay(of: row, into: &membership)
        if let value = row["until_date"] {
            membership.untilDate = value.dateValue
            if value.dateValue == nil { expect("a date such as date \"2027-09-30\"", in: row, "until_date", value) }
        }
        membership.untilAge = age(row, "until_age")
        membership.renewsFromNow = word(row, "renew_from", among: MembershipRow.renewalWords) == "now"
        let ends = ["lasts", "until_day", "until_date", "until_age"]
        if !ends.contains(where: { row[$0] != nil }) {
            complain(
                "wrong_type", "\(row.title) must say \(ends.joined(separator: ", ")), or lasts = unlimited",
                at: row.outline?.range)
        }
        content.tables.membership.append(membership)
    }

    private static let length = "a period such as months(12), of days or longer, or unlimited"

    private mutating func readLength(of row: ReadRow, into membership: inout MembershipRow) {
        guard let value = row["lasts"] else { return }
        if value.isUnlimited {
            membership.isUnlimited = true
        } else if let period = value.periodValue, period.isWindow, !period.isElapsed {
            membership.lasts = period
        } else {
            expect(Self.length, in: row, "lasts", value)
        }
    }

    private mutating func readDay(of row: ReadRow, into membership: inout MembershipRow) {
        if let value = row["until_day"] {
            membership.untilDay = value.stringValue.flatMap { try? MonthDay(parsing: $0) }
            if membership.untilDay == nil {
                expect("a day of the year, month first, such as \"09-30\"", in: row, "until_day", value)
            }
        }
        guard let value = row["at_least"] else { return }
        guard let period = value.periodValue, period.isWindow, !period.isElapsed else {
            return expect("a period such as days(60), of days or longer", in: row, "at_least", value)
        }
        membership.atLeast = period
        if row["until_day"] == nil {
            complain(
                "wrong_type", "\(row.title): at_least says how far until_day must be away, and there is none",
                at: row.range(of: "at_least"))
        }
    }

    private mutating func age(_ row: ReadRow, _ field: String) -> Int64? {
        guard let value = row[field] else { return nil }
        guard let age = value.integerValue, MembershipRow.ages.contains(age) else {
            expect("an age in whole years", in: row, field, value)
            return nil
        }
        return age
    }
}
