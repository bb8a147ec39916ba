import Circulation
import LuaRuntime

/// What a function of a policy answered to a listing or a suggestion.
enum PublicationAnswer {
    case allow
    case review(message: String)
    case deny(code: String, message: String)
}

extension AnswerReader {
    private static let maximumLines = 1_000
    private static let maximumLabel = 500

    /// The lines that a `price` function answered: an amount, or a list of `{ label =, amount =, to = }`; nil for no answer.
    ///
    /// - Throws: ``PolicyFailure``, also where the lines come to less than nothing or to no amount at all.
    func priceLines(_ answer: borrowing LuaResults, for question: Case) throws -> [PriceLine]? {
        switch answer.kind() {
        case .nil: return nil
        case .table: return try priceLines(try answer.toValue().tableValue ?? LuaTable(), in: question.currency)
        default:
            guard let total = answer.value()?.money else { throw wrongPrice(try answer.toValue()) }
            guard total.currency == question.currency, !total.isNegative else {
                throw failure("must answer an amount in \(question.currency.code) that is not negative, not \(total)")
            }
            return [PriceLine(label: label(of: question), amount: total, origin: origin)]
        }
    }

    private func label(of question: Case) -> String {
        guard let lines = question.lines else { return "Rental" }
        return lines.count == 1 ? lines[0].words : "Total"
    }

    private func wrongPrice(_ value: LuaValue) -> PolicyFailure {
        failure("must answer nothing, money or a list of { label =, amount = }, not \(words(value))")
    }

    private func priceLines(_ table: LuaTable, in currency: Currency) throws -> [PriceLine] {
        let elements = table.array
        guard elements.count == table.entries.count, elements.count <= Self.maximumLines else {
            throw wrongPrice(.table(table))
        }
        let lines = try elements.map { try priceLine($0, currency) }
        guard let total = try? PriceLine.total(of: lines, in: currency) else {
            throw failure("answered lines that come to no amount: they are too large")
        }
        guard !total.isNegative else { throw failure("answered lines that come to less than nothing: \(total)") }
        return lines
    }

    private func priceLine(_ element: LuaValue, _ currency: Currency) throws -> PriceLine {
        guard let line = element.tableValue else { throw wrongPrice(element) }
        for entry in line.entries where !["label", "amount", "to"].contains(entry.key.stringValue) {
            throw failure("answered a line with the field '\(words(entry.key))'; a line has label, amount and to")
        }
        guard let label = line["label"].stringValue, !label.isEmpty, label.utf8.count <= Self.maximumLabel else {
            throw failure("answered a line whose label is \(words(line["label"])), not a short text")
        }
        guard let amount = line["amount"].moneyValue, amount.currency == currency else {
            throw failure("answered a line whose amount is \(words(line["amount"])), not money in \(currency.code)")
        }
        return PriceLine(label: label, amount: amount, isForLibrary: try isForLibrary(line["to"]), origin: origin)
    }

    /// Without a word what a seller's deal comes to is the seller's.
    private func isForLibrary(_ recipient: LuaValue) throws -> Bool {
        guard !recipient.isNil else { return false }
        switch recipient.stringValue {
        case PriceLine.toLibrary?: return true
        case PriceLine.toSeller?: return false
        default: throw failure("answered a line to \(words(recipient)), not to \"library\" or \"seller\"")
        }
    }

    /// - Throws: ``PolicyFailure``, also for no answer: whether something is published is always said.
    func publication(_ answer: borrowing LuaResults) throws -> PublicationAnswer {
        let expected = "must answer allow(), review(message) or deny(code, message)"
        switch answer.kind() {
        case .nil: throw failure("answered nothing: it \(expected)")
        case .table: break
        default: throw failure("\(expected), not \(words(try answer.toValue()))")
        }
        switch answer.string(keys.answer) {
        case "allow":
            for key in [keys.despite, keys.due, keys.priority] where answer.kind(key) != .nil {
                throw failure("can allow without options only")
            }
            return .allow
        case "review": return .review(message: answer.string(keys.message) ?? "")
        case "deny":
            guard let code = answer.string(keys.code), !code.isEmpty, code.utf8.count <= 64,
                let message = answer.string(keys.message)
            else { throw failure("must give a code and a message with its refusal") }
            return .deny(code: code, message: message)
        default: throw failure("\(expected), not a table of its own")
        }
    }
}
