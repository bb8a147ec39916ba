import Circulation
import Languages
import Scripting
import TextFormats

/// What pages show of loans, and of what keeps their borrower from more.
enum LoanFields {
    /// A loan, open or past.
    static func loan(_ loan: JSON, _ call: PageCall) throws -> [String: Any] {
        let title = loan["title"]?.integerValue
        var fields: [String: Any] = [
            "id": loan["id"]?.integerValue ?? 0,
            "name": try call.titleName(title).map(PageWords.safe) ?? say("A title removed from the catalogue"),
            "isOverdue": loan["returned_at"] == nil && call.words.isPast(loan["due_at"]),
            "renewals": loan["renewals"]?.integerValue ?? 0,
        ]
        if let title { fields["link"] = TitleFields.link(title) }
        fields["lent"] = call.words.moment(loan["lent_at"])
        fields["due"] = call.words.moment(loan["due_at"])
        fields["returned"] = call.words.moment(loan["returned_at"])
        fields["isLost"] = loan["lost_at"] != nil
        fields["isClaimed"] = loan["claimed_at"] != nil
        fields["isRecalled"] = loan["recalled_at"] != nil
        return fields
    }

    static func block(_ block: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "reason": PageWords.safe(block["reason"])
                ?? (block["kind"] == "suspension" ? say("Suspended") : say("Blocked"))
        ]
        fields["ends"] = call.words.date(block["ends"])
        return fields
    }
}
