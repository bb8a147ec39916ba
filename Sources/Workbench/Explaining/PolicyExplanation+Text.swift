package import Circulation
import Scripting
import TextFormats

extension PolicyExplanation {
    /// The answer in a sentence; then each group with its row and why earlier rows did not match; then the lines that ran,
    /// with the values they saw.
    package var text: String {
        var lines = [sentence] + furtherReasons.map { "  also: \($0)" }
        if !limits.isEmpty { lines += ["", "Limits"] + limits.map { "  " + words($0) } }
        if !groups.isEmpty { lines += ["", "Rules"] + groups.flatMap(self.lines) }
        if !notices.isEmpty { lines += ["", "Notices"] + notices.map { "  " + words($0) } }
        if !membership.isEmpty { lines += ["", "Membership"] + membership.map { "  " + words($0) } }
        if !trace.lines.isEmpty { lines += ["", "Lines that ran"] + trace.text(source) }
        return lines.joined(separator: "\n")
    }

    private func words(_ limit: LimitExplanation) -> String {
        let head = "\(Self.words(limit.origin)): "
        if let because = limit.because { return head + "does not apply, \(because)" }
        guard let maximum = limit.maximum else { return head + "unlimited" }
        let whose = limit.conditions.isEmpty ? "in all" : "with \(limit.conditions)"
        let leftOut = limit.claimedLeftOut > 0 ? ", \(limit.claimedLeftOut) claimed to be returned not counted" : ""
        return head + "\(limit.count) of at most \(maximum) \(whose)\(leftOut)" + (limit.isFull ? ": full" : "")
            + (limit.possibleFrom.map { ", room again from \($0)" } ?? "")
    }

    private func words(_ notice: NoticeExplanation) -> String {
        let head = "\(Self.words(notice.origin)): \(notice.stage) "
        if let because = notice.because { return head + "is not sent, \(because)" }
        return head + (notice.isSuperseded ? "is passed over by a later one" : "is sent")
    }

    private func words(_ row: MembershipExplanation) -> String {
        let head = "\(Self.words(row.origin)): \(row.words)"
        if let because = row.because { return head + ", not: \(because)" }
        return head + ": " + (row.date.map { "ends on \($0)" } ?? "without end")
    }

    private func lines(of group: GroupExplanation) -> [String] {
        let origin = group.origin.map { "by \(Self.words($0))" } ?? "default; no row sets it"
        let skipped = group.skipped.map { "      not \(Self.words($0.origin)): \($0.because)" }
        return ["  \(group.group.name): \(group.valueWords)", "      \(origin)"] + skipped
    }

    /// A line of source without its indentation.
    package static func trimmed(_ line: String) -> String {
        String(line.drop { $0 == " " || $0 == "\t" })
    }
}

extension PolicyTrace {
    /// Each line with its place and its source, beneath it what it saw.
    ///
    /// - Parameter source: a line of a file as it is written; nil where there is none.
    func text(_ source: (_ file: String, _ line: Int) -> String?) -> [String] {
        let places = lines.map { "\($0.file):\($0.line)" }
        let width = places.map(\.count).max() ?? 0
        let gutter = String(repeating: " ", count: width)
        var text: [String] = []
        for (line, place) in zip(lines, places) {
            let padding = String(repeating: " ", count: width - place.count)
            let source = source(line.file, line.line).map(PolicyExplanation.trimmed) ?? ""
            text.append("  \(place)\(padding) | \(source)")
            text += line.says.map { "  \(gutter) |     \($0)" }
        }
        if isCut { text.append("  ... and more than \(lines.count) lines in all") }
        return text
    }
}

extension GroupExplanation {
    /// `loan = 14 days, closed = next_open (default)`
    package var valueWords: String {
        let values = fields.compactMap { field in
            field.value.map { "\(field.name) = \($0)" + (field.isDefault ? " (default)" : "") }
        }
        return values.isEmpty ? "nothing" : values.joined(separator: ", ")
    }
}

extension TracedLine {
    /// What is to be said beneath the line: the values it saw, and what the function answered.
    package var says: [String] {
        var parts: [String] = []
        let seen = values.compactMap { value in value.value.words.map { "\(value.name) = \($0)" } }
        if !seen.isEmpty { parts.append(seen.joined(separator: ", ")) }
        if let returned { parts.append("answers \(TracedLine.words(returned))") }
        return parts
    }

    private static func words(_ returned: JSON) -> String {
        switch returned {
        case .null: return "nothing"
        case .string(let text): return text
        default: break
        }
        guard let answer = returned["answer"]?.stringValue else { return returned.text() }
        let code = returned["code"]?.stringValue.map { " (\($0))" } ?? ""
        return answer + code + (returned["message"]?.stringValue.map { ": \($0)" } ?? "")
    }
}

extension TracedLine.Held {
    /// The value as a librarian reads it; nil for what is worth no word.
    var words: String? {
        switch self {
        case .plain(.null): "nothing"
        case .plain(let json): json.text()
        case .value(_, let words): words
        case .record: nil
        case .list(let count): count == 1 ? "1 entry" : "\(count) entries"
        }
    }
}
