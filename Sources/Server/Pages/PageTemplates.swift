import Languages
import Mustache
import Synchronization
import TextFormats

/// A file of `Templates`, by the name under which pages and other templates know it.
struct PageTemplate: Sendable {
    let name: String
    let text: [UInt8]

    init(_ name: String, _ text: [UInt8]) {
        self.name = name
        self.text = text
    }

    /// Whether it is a document for programs, whose texts are all filled in.
    private var isForPrograms: Bool { ["opds", "opds-search", "rss"].contains(name) }

    /// The template with its own texts in a language.
    func text(in language: Language) -> String {
        let english = String(decoding: text, as: UTF8.self)
        return language === Language.english || isForPrograms
            ? english : TemplateTexts(english).translated(to: language)
    }

    /// The English texts in it.
    var identifiers: [String] { isForPrograms ? [] : TemplateTexts(String(decoding: text, as: UTF8.self)).identifiers }
}

/// How what is filled in is escaped: Mustache's own HTML leaves a quotation mark with an accent on it as it is.
private struct PageContent: MustacheContentType {
    static let name = "PAGE"

    func escapeText(_ text: String) -> String { MarkupText.escaped(text) }
}

/// The templates of all pages: Mustache, which escapes whatever is filled in.
struct PageTemplates: Sendable {
    /// Those of all pages, and the parts that these share, in English.
    static let all = PageTemplates(in: .english)

    /// The templates of each language that was asked for.
    private static let made = Mutex<[ObjectIdentifier: PageTemplates]>([:])

    /// The templates with their texts in a language.
    static func all(in language: Language) -> PageTemplates {
        if language === Language.english { return all }
        let key = ObjectIdentifier(language)
        if let templates = made.withLock({ $0[key] }) { return templates }
        let templates = PageTemplates(in: language)
        made.withLock { $0[key] = templates }
        return templates
    }

    static var allTemplates: [PageTemplate] { shared + PageTable.groups.flatMap { $0.templates } }

    private let library: MustacheLibrary
    /// Held, since it is known by its identity.
    private let language: Language
    /// Templates that Mustache rejects; always empty.
    let broken: [String]

    private init(in language: Language) {
        MustacheContentTypes.register(PageContent(), named: PageContent.name)
        var (library, broken) = (MustacheLibrary(), [String]())
        for template in Self.allTemplates {
            do {
                try library.register(
                    "{{% CONTENT_TYPE:\(PageContent.name)}}\n" + template.text(in: language), named: template.name)
            } catch {
                broken.append("\(template.name): \(error)")
            }
        }
        self.library = library
        self.language = language
        self.broken = broken
    }

    /// - Parameter fields: texts, numbers, truth values, and dictionaries and lists of these. Of each list `rows` a
    ///   template may ask by `hasRows` whether there is anything in it.
    func text(_ name: String, _ fields: [String: Any]) -> String {
        library.render(Self.complete(fields), withTemplate: name) ?? ""
    }

    private static func complete(_ fields: [String: Any]) -> [String: Any] {
        var complete = fields
        for (name, value) in fields {
            switch value {
            case let rows as [[String: Any]]:
                complete[name] = rows.map(Self.complete)
                complete["has" + name.prefix(1).uppercased() + name.dropFirst()] = !rows.isEmpty
            case let inner as [String: Any]: complete[name] = Self.complete(inner)
            default: break
            }
        }
        return complete
    }
}
