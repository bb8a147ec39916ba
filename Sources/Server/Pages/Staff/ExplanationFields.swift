import Circulation
import Desk
import Languages
import Scripting
import TextFormats
import Workbench

/// Why the policy in force would or would not lend an item to a patron; nothing is lent.
struct ExplanationFields {
    var fields: [String: Any] = [:]
    var marks = LineMarks()

    /// - Parameters:
    ///   - patron: a username or a number.
    ///   - item: a barcode or an ISBN.
    /// - Throws: what the store throws; ``Problem``.
    init(patron: String, item: String, _ call: PageCall) throws {
        guard let who = try PatronFields.named(patron, call) else {
            fields["wrong"] = say("No patron has this username or number.")
            return
        }
        guard let what = try DeskItem(item, call) else {
            fields["wrong"] = PageWords.sentence(DeskItem.unknown["message"])
            return
        }
        let request = CheckoutRequest(
            patron: .id(who.id), wanted: what.barcode.map { .barcode($0) } ?? .titles([.id(what.title)]))
        let explained = try call.context.look { try $0.loans.explainCheckout(request) }
        fields["about"] = [
            "name": try PatronFields.name(of: who.id, call) ?? "",
            "title": try call.titleName(what.title).map(PageWords.safe) ?? "",
        ]
        let bundle = try explained.asked.first.flatMap { first in
            try call.context.look { try $0.policies.bundle(first.policy) }
        }
        guard let bundle else {
            fields["wrong"] =
                explained.refusal.map { PageWords.sentence($0.message) }
                ?? say("The policy does not decide this request.")
            return
        }
        let policy = ParsedPolicy(bundle, fields: call.context.api.fields)
        let steps = try explained.asked.map { try PolicyExplanation(policy, question: $0.question) }
        // What the desk says by itself, such as that no copy is on the shelf.
        if let refusal = explained.refusal, steps.last?.decision.answer == .allow {
            fields["wrong"] = PageWords.sentence(refusal.message)
        }
        fields["steps"] = steps.map { Self.step($0, isOneOfMany: steps.count > 1) }
        for step in steps { mark(step) }
    }

    // MARK: - Decisions

    private static func step(_ step: PolicyExplanation, isOneOfMany: Bool) -> [String: Any] {
        var fields: [String: Any] = [
            "sentence": PageWords.safe(step.sentence), "isYes": step.decision.answer == .allow,
            "further": step.furtherReasons.map { ["words": PageWords.safe($0)] },
            "limits": step.limits.map { limit -> [String: Any] in
                [
                    "origin": origin(limit.origin), "most": limit.maximum.map { "\($0)" } ?? say("unlimited"),
                    "count": limit.count, "state": limit.because ?? Language.spoken.sentence(limit.room),
                ]
            },
            "groups": step.groups.map { group -> [String: Any] in
                var fields: [String: Any] = [
                    "group": group.group.name, "values": PageWords.safe(group.valueWords),
                    "skipped": group.skipped.map { row -> [String: Any] in
                        ["origin": origin(row.origin), "because": PageWords.safe(row.because)]
                    },
                ]
                fields["origin"] = group.origin.map(origin)
                return fields
            },
            "ran": step.trace.lines.prefix(200).map { line -> [String: Any] in
                [
                    "place": "\(line.file):\(line.line)", "anchor": LineMarks.anchor(line.file, line.line),
                    "code": PageWords.safe(step.source(line.file, line.line).map(PolicyExplanation.trimmed) ?? ""),
                    "says": line.says.map { ["words": PageWords.safe($0)] },
                ]
            },
        ]
        if isOneOfMany { fields["point"] = step.decision.point.rawValue }
        return fields
    }

    private static func origin(_ origin: RuleOrigin) -> [String: Any] {
        [
            "place": PageWords.safe(PolicyExplanation.words(origin)),
            "anchor": LineMarks.anchor(origin.file, origin.line),
        ]
    }

    // MARK: - Lines

    /// A line that ran or decided stays so.
    private mutating func mark(_ step: PolicyExplanation) {
        let passed =
            step.groups.flatMap(\.skipped).map(\.origin) + step.limits.filter { $0.because != nil }.map(\.origin)
        let won =
            step.groups.compactMap(\.origin) + step.groups.flatMap(\.fields).compactMap(\.origin)
            + step.limits.filter { $0.because == nil }.map(\.origin)
        for origin in passed where marks.marks[origin.file]?[origin.line] == nil {
            marks.marks[origin.file, default: [:]][origin.line] = .passed
        }
        for origin in won { marks.marks[origin.file, default: [:]][origin.line] = .won }
        for line in step.trace.lines {
            marks.marks[line.file, default: [:]][line.line] = .ran
            // A loop says no more than three times what it saw.
            guard !line.says.isEmpty, marks.says[line.file]?[line.line]?.count ?? 0 < 3 else { continue }
            marks.says[line.file, default: [:]][line.line, default: []].append(
                PageWords.safe(line.says.joined(separator: "; ")))
        }
    }
}

extension LimitExplanation {
    fileprivate var room: String {
        isFull ? "full" + (possibleFrom.map { ", room again from \($0)" } ?? "") : "room left"
    }
}
