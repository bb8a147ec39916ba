import Circulation
import Desk
package import TextFormats

/// What became of the loans of an import.
package struct ArrivalReport: Hashable, Sendable {
    /// A loan that a policy would have refused.
    package struct Refused: Hashable, Sendable {
        package var file: String
        package var line: Int
        package var code: String
        package var message: String
        package var barcode: String?
        package var username: String?
    }

    /// What an open loan lacks that counts in statistics only.
    package enum Missing: String, Hashable, Sendable, CaseIterable {
        case patron, copy
        case due = "due_at"
    }

    /// Loans that are out, with patron, copy and due time.
    package var open: Int64 = 0
    /// Those of them that are past their due time.
    package var overdue: Int64 = 0
    /// Those that a version of this library decides from now on, and those whose due time is its own.
    package var decided: Int64 = 0
    package var dueByPolicy: Int64 = 0
    /// Those that were not returned and yet count in statistics only, by the first thing that they lack.
    package var lacking: [Missing: Int64] = [:]
    /// Those of them of which the other system's own messages say what it told.
    package var byMessages: Int64 = 0
    /// Loans of the past.
    package var past: Int64 = 0
    /// Loans that the policy would have refused, by code and rule, and the first of them.
    package var refused: [String: Int64] = [:]
    package var examples: [Refused] = []
    /// Loans by branch, category and item type, where they have one.
    package var byBranch: [String: Int64] = [:]
    package var byCategory: [String: Int64] = [:]
    package var byItemType: [String: Int64] = [:]

    /// How many refused loans are named.
    package static let mostExamples = 20
    /// Codes are few; what a damaged file makes of them need not be.
    static let mostCodes = 1_000

    package init() {}

    /// All that were added.
    package var loans: Int64 { open + past + lacking.values.reduce(0, +) }

    mutating func add(_ other: ArrivalReport) {
        open += other.open
        overdue += other.overdue
        decided += other.decided
        dueByPolicy += other.dueByPolicy
        byMessages += other.byMessages
        past += other.past
        lacking.merge(other.lacking, uniquingKeysWith: +)
        Self.merge(&refused, other.refused)
        Self.merge(&byBranch, other.byBranch)
        Self.merge(&byCategory, other.byCategory)
        Self.merge(&byItemType, other.byItemType)
        examples += other.examples.prefix(max(0, Self.mostExamples - examples.count))
    }

    private static func merge(_ counts: inout [String: Int64], _ others: [String: Int64]) {
        for (code, count) in others where counts[code] != nil || counts.count < mostCodes {
            counts[code, default: 0] += count
        }
    }

    /// Notes a loan that was added.
    mutating func note(_ loan: Loan, _ arrived: ArrivedLoan, at now: Instant, of imported: ImportedLoan) {
        count(loan, in: &byBranch, \.branch)
        count(loan, in: &byCategory, \.category)
        count(loan, in: &byItemType, \.itemType)
        if loan.returnedAt != nil {
            past += 1
        } else if let missing = loan.missing {
            lacking[missing, default: 0] += 1
        } else {
            open += 1
            if let due = loan.due, due.instant < now { overdue += 1 }
            if imported.isOfBitBooks { byMessages += 1 }
        }
        guard let asked = arrived.asked else { return }
        decided += 1
        if arrived.isDueByPolicy { dueByPolicy += 1 }
        guard let refusal = asked.refusal else { return }
        let place = refusal.origin.map { " (\($0.file):\($0.line))" } ?? ""
        refused["\(refusal.code)\(place)", default: 0] += 1
        examples.append(
            Refused(
                file: "", line: 0, code: refusal.code, message: refusal.message, barcode: imported.barcode,
                username: imported.username))
    }

    private func count(_ loan: Loan, in counts: inout [String: Int64], _ code: KeyPath<Loan, String?>) {
        guard let code = loan[keyPath: code], counts[code] != nil || counts.count < Self.mostCodes else { return }
        counts[code, default: 0] += 1
    }

    /// The shape that programs read.
    package var json: JSON {
        var lacks: JSONObject = [:]
        for missing in Missing.allCases {
            if let count = lacking[missing] { lacks[missing.rawValue] = .integer(count) }
        }
        return [
            "open": .integer(open), "overdue": .integer(overdue), "decided": .integer(decided),
            "due_by_policy": .integer(dueByPolicy), "past": .integer(past), "lacking": .object(lacks),
            "refused": Self.json(refused), "refused_examples": .array(examples.map(\.json)),
            "by_branch": Self.json(byBranch), "by_category": Self.json(byCategory),
            "by_item_type": Self.json(byItemType),
        ]
    }

    private static func json(_ counts: [String: Int64]) -> JSON {
        var object: JSONObject = [:]
        for (code, count) in counts.sorted(by: { $0.key < $1.key }) { object[code] = .integer(count) }
        return .object(object)
    }
}

extension ArrivalReport.Refused {
    /// Where the file has it, and why it would have been refused.
    package var words: String {
        let who = [barcode, username].compactMap(\.self).joined(separator: ", ")
        return "\(file):\(line)\(who.isEmpty ? "" : " (\(who))"): \(code): \(message)"
    }

    fileprivate var json: JSON {
        [
            "file": .string(file), "line": .integer(Int64(line)), "code": .string(code), "message": .string(message),
            "barcode": barcode.map { .string($0) } ?? .null, "username": username.map { .string($0) } ?? .null,
        ]
    }
}

extension Loan {
    /// What a loan that was not returned lacks to be an open one.
    fileprivate var missing: ArrivalReport.Missing? {
        if patron == nil { return .patron }
        if due == nil { return .due }
        return copy == nil ? .copy : nil
    }
}
