import Circulation
import LuaSyntax

extension NoEffectRows {
    /// Rows of `membership` that hold for no age, and fields that change nothing beside others.
    var membership: [Finding] {
        tables.source.membership.indices.flatMap { row -> [Finding] in
            let written = tables.source.membership[row]
            if let least = written.fromAge, let most = [written.underAge, written.untilAge].compactMap({ $0 }).min(),
                least >= most
            {
                return [
                    placed.finding(
                        "unreachable_row", .membership, row, "from_age",
                        "membership row \(row + 1) can never win: no age is \(least) or more and less than \(most)")
                ]
            }
            return idleFields(of: written).map { field, why in
                placed.finding(
                    "unreachable_field", .membership, row, field,
                    "\(field) of membership row \(row + 1) does nothing: \(why)")
            }
        }
    }

    private func idleFields(of row: MembershipRow) -> [(field: String, why: String)] {
        var idle: [(String, String)] = []
        let ends = row.untilDay != nil || row.untilDate != nil || row.untilAge != nil
        if row.isUnlimited, ends { idle.append(("lasts", "the row names an end")) }
        if row.renewsFromNow, row.lasts == nil, row.untilDay == nil {
            idle.append(("renew_from", "the row ends no membership by a length or a day of the year"))
        }
        if let under = row.underAge, let until = row.untilAge, under >= until {
            idle.append(("under_age", "the row holds below until_age alone"))
        }
        return idle
    }
}
