package import Circulation
import Storage

/// The keys by which exports call records that have no key of their own, so that an import knows them again, in the
/// store they come from as in any other: `loan:ID:MICROSECONDS`.
package enum ExportKey {
    /// The key of a record of that kind, by its id and its instant.
    package static func of(_ kind: String, _ id: Int64, _ at: Instant) -> String { "\(kind):\(id):\(at.microseconds)" }

    /// The id and the instant in a key of that kind, nil if it is none.
    package static func parts(of key: String, _ kind: String) -> (id: Int64, at: Instant)? {
        let words = key.split(separator: ":", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == kind, let id = Int64(words[1]), let at = Int64(words[2]) else { return nil }
        return (id, Instant(microseconds: at))
    }
}

extension Loan {
    /// What an export calls the loan.
    package var exportKey: String { importKey ?? ExportKey.of("loan", id, lentAt) }
}

extension Hold {
    /// What an export calls the hold.
    package var exportKey: String { importKey ?? ExportKey.of("hold", id, placedAt) }
}

extension ImportService {
    /// The loan that an export calls by this key, nil if there is none.
    package func loan(called key: String) throws -> Loan? {
        if let loan = try session.transaction.loans.find(importKey: key) { return loan }
        guard let (id, at) = ExportKey.parts(of: key, "loan"), let loan = try session.transaction.loans.get(id),
            loan.importKey == nil, loan.lentAt == at
        else { return nil }
        return loan
    }

    /// The hold that an export calls by this key, nil if there is none.
    package func hold(called key: String) throws -> Hold? {
        if let hold = try session.transaction.holds.find(importKey: key) { return hold }
        guard let (id, at) = ExportKey.parts(of: key, "hold"), let hold = try session.transaction.holds.get(id),
            hold.importKey == nil, hold.placedAt == at
        else { return nil }
        return hold
    }
}
