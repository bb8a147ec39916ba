import Circulation
import Desk
import Interchange
import TextFormats

extension LineCommands {
    /// Lends all or nothing, and says it in the words of BitBooks.
    func lend(_ names: [String], to patron: Patron) throws -> String {
        // Nothing goes beyond no limit: BitBooks counts what is asked for.
        if names.isEmpty { return LineWords.lent }
        let keys = names.map(BitBooksShape.key)
        let request = CheckoutRequest(patron: .id(patron.id), wanted: .titles(keys))
        do {
            return try desk(of: patron.id).write(isRepeatable: true) { session in
                switch try session.loans.checkout(request) {
                case .done: LineWords.lent
                case .refused(let refusal): try words(for: refusal, of: keys, patron, session)
                }
            }
        } catch let error as DeskError where error.code == .input {
            return Self.line(error.message)
        }
    }

    private func words(
        for refusal: Refusal, of keys: [TitleKey], _ patron: Patron, _ session: DeskSession
    ) throws -> String {
        let own = Self.line(refusal.message)
        switch refusal.code {
        case Refusal.Code.limit:
            let open = Int64(try session.loans.active(of: .id(patron.id)).count)
            return Self.words(forLimit: refusal, asked: Int64(keys.count), open: open) ?? own
        case Refusal.Code.noCopies:
            return try noCopies(refusal, session)
        case Refusal.Code.unknownTitle:
            return try earlierWithoutCopies(keys, patron, session) ?? LineWords.noCopies(nil)
        default:
            return own
        }
    }

    /// What BitBooks says of a limit of all loans; nil where the policy says it in its own words, and where the limit is one
    /// of some kind of loans alone, of which BitBooks has no words.
    static func words(forLimit refusal: Refusal, asked: Int64, open: Int64) -> String? {
        guard let figures = refusal.reasons.first?.figures, let limit = figures["limit"]?.integerValue,
            let count = figures["count"]?.integerValue, count >= open, count - open < max(asked, 1)
        else { return nil }
        if asked > limit { return LineWords.tooMany(limit) }
        return open >= limit ? LineWords.noneLeft(limit) : LineWords.someLeft(open, of: limit)
    }

    private func noCopies(_ refusal: Refusal, _ session: DeskSession) throws -> String {
        let title = try refusal.reasons.first?.title.flatMap { try session.catalogue.get(.id($0)) }
        return Self.line(LineWords.noCopies(title?.title))
    }

    /// BitBooks looks at the stock in the order of the request: whether a title before the first unknown one has no copy.
    private func earlierWithoutCopies(
        _ keys: [TitleKey], _ patron: Patron, _ session: DeskSession
    ) throws -> String? {
        let known = try keys.prefix { try session.catalogue.get($0) != nil }
        guard !known.isEmpty else { return nil }
        let request = CheckoutRequest(patron: .id(patron.id), wanted: .titles(Array(known)))
        guard let refusal = try session.loans.mayCheckout(request).refusal, refusal.code == Refusal.Code.noCopies
        else { return nil }
        return try noCopies(refusal, session)
    }

    /// The text on one line: what is a line feed or any other control becomes a blank.
    static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
