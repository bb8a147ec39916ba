import Circulation
import Foundation
import Scripting
import Storage

@testable import Languages
@testable import Server

/// All texts that catalogues translate, as the sources have them.
enum PhraseCollection {
    typealias Found = SwiftPhrases.Found

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static var sources: URL { root.appending(path: "Sources") }

    /// Where sentences come from that pages say.
    private static let folders =
        ["Circulation/Policy", "Circulation/Text", "Market", "Secrets"]
        + [
            "Accounts", "Catalogue", "CustomFields", "Fees", "Holds", "Loans", "Notices", "Patrons", "Policies",
            "Readers", "Session",
            "Settings",
        ].map { "Desk/\($0)" } + [
            "Server/HTTP", "Server/Pages", "Server/Routes", "Scripting/Access", "Scripting/Building",
        ]

    /// In the order of the rooms: templates, pages, forms, sentences of the desk.
    static func all() throws -> [(section: String, phrases: [Found])] {
        var seen: Set<String> = []
        func new(_ phrases: [Found]) -> [Found] { phrases.filter { seen.insert($0.identifier).inserted } }
        let templates = PageTemplates.allTemplates.flatMap { template in
            template.identifiers.map { Found(identifier: $0) }
        }
        let words =
            RouteTable.all.flatMap(\.otherParameters).flatMap { choices(of: $0.type) }
            + Weekday.allCases.map { "\($0)" }
            + FigureMeasure.all.flatMap { [$0.words, $0.summary] } + FigureDimension.allCases.map(\.words)
        // Titles of reports have them within a sentence.
        let forms =
            words.map { Found(identifier: RecordForm.phrase($0).identifier) }
            + FigureDimension.allCases.map { Found(identifier: $0.words) }
            + GatheredKind.allCases.map { Found(identifier: $0.words) }
        var sections = [("Templates of pages", new(templates))]
        for folder in [
            "Server/Pages", "Languages", "Reports", "Scripting/Building", "Commands/Notices", "Commands/Letters",
            "Interchange/Explaining", "Interchange/Mapping",
        ] {
            sections.append(("Sources/\(folder)", new(try files(folder).flatMap { SwiftPhrases($0).spoken })))
        }
        sections.append(("Choices of forms", new(forms)))
        for folder in folders {
            sections.append(
                ("Sentences of Sources/\(folder)", new(try files(folder).flatMap { SwiftPhrases($0).sentences })))
        }
        return sections.filter { !$0.1.isEmpty }
    }

    private static func choices(of type: APIType) -> [String] {
        switch type {
        case .optional(let inner): choices(of: inner)
        case .choice(let names): names
        default: []
        }
    }

    private static func files(_ folder: String) throws -> [String] {
        let url = sources.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        // What is declared there is said in the reference.
        let isDeclaration = { (name: String) in ["Declared/", "Rules/"].contains(where: name.hasPrefix) }
        return try names.filter { $0.hasSuffix(".swift") && !isDeclaration($0) }.sorted().map {
            try String(contentsOf: url.appending(path: $0), encoding: .utf8)
        }
    }

    /// The catalogue without translations, from which translators begin.
    static func template() throws -> String {
        var text = """
            # The texts of pages, refusals and letters, for translators: docs/languages.md says how.
            msgid ""
            msgstr ""
            "Language: xx\\n"
            "X-Name: \\n"
            "MIME-Version: 1.0\\n"
            "Content-Type: text/plain; charset=UTF-8\\n"
            "Content-Transfer-Encoding: 8bit\\n"
            "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

            """
        for (section, phrases) in try all() {
            text += "\n# \(section)\n"
            for phrase in phrases {
                text += "\nmsgid \(CatalogueFile.literal(phrase.identifier))\n"
                if let several = phrase.several {
                    text += "msgid_plural \(CatalogueFile.literal(several))\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
                } else {
                    text += "msgstr \"\"\n"
                }
            }
        }
        return text
    }
}
