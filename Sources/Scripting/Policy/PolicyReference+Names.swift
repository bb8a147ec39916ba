import Circulation

extension PolicyReference {
    /// What is known under a name of the language of policies: a word, a key, a decision point, a field of rules or a
    /// record of the case; nil if there is nothing of that name.
    ///
    /// - Parameter testWords: the words of tests, which are declared elsewhere.
    package static func about(_ name: String, testWords: [PolicyWord]) -> String? {
        let words = PolicyWord.all.map { ($0, "policies") } + testWords.map { ($0, "tests of policies") }
        var parts = words.filter { $0.0.name == name }.map { text(of: $0.0, for: $0.1) }
        parts += PolicyKey.allCases.filter { $0.rawValue == name }.map { "\(name): a key of policies\n  \($0.summary)" }
        parts += PointReference.all.filter { $0.point.rawValue == name }.map(text)
        parts += RuleField.all.filter { $0.name == name }.map(text)
        parts += PolicyRecords.references.filter { $0.name == name }.map { HelpText.text(of: $0) }
        if name == "case.calendar" { parts.append(calendar) }
        return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
    }

    /// All names that ``about(_:testWords:)`` knows.
    package static func names(testWords: [PolicyWord]) -> [String] {
        var names = (PolicyWord.all + testWords).map(\.name) + PolicyKey.all + RuleField.all.map(\.name)
        names += PolicyRecords.references.map(\.name) + ["case.calendar"]
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    // MARK: - Parts

    private static func text(of word: PolicyWord, for users: String) -> String {
        var lines = ["\(word.signature): a word of \(users)", "  \(word.summary)"]
        lines += HelpText.argumentLines(word.parameters)
        if word.result != .nothing { lines.append("  gives: \(word.result.text)") }
        if let example = word.example { lines += ["  example:"] + example.lines.map { "      " + $0 } }
        return lines.joined(separator: "\n")
    }

    private static func text(of reference: PointReference) -> String {
        let parts = reference.present + reference.possible.map { "[\($0)]" }
        return """
            \(reference.point.rawValue): a decision point
              Asked \(reference.asked).
              the case has: \(parts.joined(separator: ", "))
              may answer: \(plain(reference.answers))
              if it answers nothing: \(plain(reference.standard))
            """
    }

    private static func text(of field: RuleField) -> String {
        let type = field.choices.isEmpty ? field.kind.rawValue : field.choices.joined(separator: ", ")
        let standard = field.standard.map(text) ?? "nothing"
        return """
            \(field.name): a field of rules
              \(plain(field.summary))
              type: \(type)
              default: \(standard)
              taken together with the fields of the group: \(field.group.name)
            """
    }

    private static var calendar: String {
        (["case.calendar: The branch's opening days and hours.", ""]
            + CalendarMethod.allCases.map { "  case.calendar.\($0.signature)\n      \($0.summary)" })
            .joined(separator: "\n")
    }

    private static func plain(_ text: String) -> String { text.replacing("`", with: "") }
}
