import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The lines of patrons' accounts, as pages and receipts show them.
enum LedgerFields {
    private static let kinds: [LedgerEntry.Kind: Phrase] = [
        .fine: "Fine", .charge: "Fee", .adjustment: "Adjustment", .payment: "Payment", .waiver: "Waiver",
        .refund: "Refund",
    ]

    static func name(_ kind: LedgerEntry.Kind) -> String { kinds[kind].map { say($0) } ?? kind.rawValue }

    /// What a line is, and what for: `Payment: cash`, `Fine: Momo`.
    static func words(_ line: JSON, _ call: PageCall) throws -> String {
        let kind = line["kind"]?.stringValue.flatMap(LedgerEntry.Kind.init)
        let name = kind.map { self.name($0) } ?? ""
        let label = PageWords.safe(line["label"]) ?? ""
        // The usual label of a kind says no more than the kind.
        let isPlain = label.isEmpty || label == name || label.lowercased() == kind?.rawValue
        guard isPlain else { return "\(name): \(label)" }
        guard let loan = line["loan"]?.integerValue,
            let title = try call.context.look({ try $0.loans.get(.id(loan)) })?.title,
            let about = try call.titleName(title)
        else { return name }
        return "\(name): \(PageWords.safe(about))"
    }
}
