/// The translations of a language, found by the English text.
package struct MessageCatalogue: Sendable {
    /// A translation with the English text to which it belongs.
    struct Entry: Sendable {
        let english: MessageText
        let forms: [MessageText]
    }

    private var entries: [String: Entry] = [:]
    private(set) var rule = PluralRule.english
    /// English texts with values, by which a finished sentence is recognized.
    private(set) var patterns = SentencePatterns()

    init() {}

    /// - Throws: ``CatalogueFile/Fault`` at the first entry whose values are not those of the English text.
    init(_ file: CatalogueFile, name: String) throws(CatalogueFile.Fault) {
        if let text = file.head["Plural-Forms"] {
            guard let rule = PluralRule(text) else {
                throw .init(file: name, line: 1, message: "Plural-Forms is not of the form nplurals=2; plural=n != 1;")
            }
            self.rule = rule
        }
        for entry in file.entries where !entry.isFuzzy && !entry.translations.contains("") {
            let forms = entry.severalIdentifier == nil ? 1 : rule.forms
            guard entry.translations.count == forms else {
                throw .init(
                    file: name, line: entry.line,
                    message:
                        "\(entry.translations.count) forms of msgstr, where Plural-Forms and msgid ask for \(forms)")
            }
            let english = MessageText(entry.identifier)
            let translations = entry.translations.map { MessageText($0) }
            for translation in translations {
                if let fault = english.fault(ofTranslation: translation, mayOmit: entry.severalIdentifier != nil) {
                    throw .init(file: name, line: entry.line, message: fault)
                }
            }
            entries[entry.identifier] = Entry(english: english, forms: translations)
            if entry.severalIdentifier == nil { patterns.add(entry.identifier, english) }
        }
    }

    /// What another catalogue says goes before what this one says.
    func overridden(by other: MessageCatalogue) -> MessageCatalogue {
        var merged = self
        merged.entries.merge(other.entries) { $1 }
        merged.patterns.add(other.patterns)
        return merged
    }

    /// The number of texts that it translates.
    package var count: Int { entries.count }

    /// Whether an English text has a translation.
    func has(_ identifier: String) -> Bool { entries[identifier] != nil }

    /// The translation of a text without a count; nil: none.
    func text(_ identifier: String) -> MessageText? { entries[identifier]?.forms.first }

    /// The translation of a text in the form that goes with a number.
    func text(_ identifier: String, _ count: Int64) -> MessageText? {
        guard let forms = entries[identifier]?.forms, !forms.isEmpty else { return nil }
        return forms[min(rule.form(of: count), forms.count - 1)]
    }
}
