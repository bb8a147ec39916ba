import TextFormats

/// The languages that a server speaks: those that come with the program, and those that a library keeps in a folder, which go before them.
package struct Languages: Sendable {
    /// By their codes, in the order of their codes; English among them.
    package let all: [Language]
    /// The language of readers who ask for none that is here.
    package let standard: Language

    /// English, and what comes with the program.
    package static let shipped: Languages = {
        do {
            return try Languages(files: [], standard: nil)
        } catch {
            preconditionFailure("A catalogue of the program cannot be read: \(error)")
        }
    }()

    init(all: [Language], standard: Language) {
        self.all = all
        self.standard = standard
    }

    /// - Parameters:
    ///   - files: catalogues of a library with their names, such as `fr.po`; one for a language that is here changes single texts of
    ///     it, also of English.
    ///   - standard: the code of the language for readers who ask for none; nil: English.
    /// - Throws: ``CatalogueFile/Fault`` for a file that cannot be read and for an unknown `standard`.
    package init(files: [(name: String, text: String)], standard: String?) throws(CatalogueFile.Fault) {
        var languages = [Language.english.code: Language.english]
        for (name, text) in ShippedCatalogues.all + files {
            let file = try CatalogueFile(text, file: name)
            let language = try Self.language(file, name: name)
            if let own = languages[language.code] {
                languages[language.code] = Language(
                    code: own.code, name: own.name, direction: own.direction,
                    catalogue: own.catalogue.overridden(by: language.catalogue))
            } else {
                languages[language.code] = language
            }
        }
        all = languages.values.sorted { $0.code < $1.code }
        let wanted = standard ?? Language.english.code
        guard let chosen = languages[wanted] else {
            throw .init(
                file: "language", line: 1,
                message: "there is no catalogue of the language \"\(SafeText.line(wanted))\", only of "
                    + languages.keys.sorted().joined(separator: ", "))
        }
        self.standard = chosen
    }

    static func language(_ file: CatalogueFile, name: String) throws(CatalogueFile.Fault) -> Language {
        guard let code = file.head["Language"], isCode(code) else {
            throw .init(file: name, line: 1, message: "the head has no Language, such as \"Language: de\\n\"")
        }
        let direction: Language.Direction
        switch file.head["X-Direction"] {
        case nil, "ltr"?: direction = .leftToRight
        case "rtl"?: direction = .rightToLeft
        case let other?:
            throw .init(file: name, line: 1, message: "X-Direction is ltr or rtl, not \"\(SafeText.line(other))\"")
        }
        return Language(
            code: code, name: file.head["X-Name"] ?? code, direction: direction,
            catalogue: try MessageCatalogue(file, name: name))
    }

    /// Whether a text is written as codes of languages are.
    package static func isCode(_ text: String) -> Bool {
        (2...20).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0 | 32) || $0 == 45 || (48...57).contains($0) }
    }

    /// No code of RFC 5646 that is in use is longer.
    private static let longestCode = 35

    /// The language of a code, or of its first part: `de-AT` is answered in `de`; nil: there is none.
    package func language(_ code: String) -> Language? {
        guard code.utf8.count <= Self.longestCode else { return nil }
        let wanted = code.lowercased().replacing("_", with: "-")
        if let exact = all.first(where: { $0.code.lowercased() == wanted }) { return exact }
        guard let dash = wanted.lastIndex(of: "-") else { return nil }
        return language(String(wanted[..<dash]))
    }

    /// The language of a code; one without any translations where there is no catalogue of it.
    package func speaking(_ code: String) -> Language { language(code) ?? Language(code: code, name: code) }

    /// The language for a person.
    ///
    /// - Parameter code: the code in their record; nil and unknown ones: the library's.
    package func spoken(to code: String?) -> Language { code.flatMap { language($0) } ?? standard }

    /// The language that a reader wants most of those that are here.
    ///
    /// - Parameter accepted: the header's field `Accept-Language`: `de-CH, fr;q=0.8, *;q=0.1` (RFC 9110, 12.5.4).
    package func language(accepted: String) -> Language? {
        var best: (language: Language, quality: Double)?
        for part in accepted.split(separator: ",").prefix(20) {
            let pieces = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let range = pieces.first, let language = range == "*" ? standard : language(range) else { continue }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if quality > 0, quality > best?.quality ?? 0 { best = (language, min(quality, 1)) }
        }
        return best?.language
    }
}
