/// All texts that catalogues translate, as translators begin with them.
package enum TranslationTemplate {
    /// A catalogue without translations.
    package static var text: String { String(decoding: PackageResources.moonshelf_pot, as: UTF8.self) }

    /// The English texts.
    package static let identifiers: [String] = {
        do {
            return try CatalogueFile(text, file: "moonshelf.pot").entries.map(\.identifier)
        } catch {
            preconditionFailure("The template of the program cannot be read: \(error)")
        }
    }()
}

extension Language {
    /// A language of one catalogue alone.
    ///
    /// - Throws: ``CatalogueFile/Fault``.
    package static func alone(_ file: CatalogueFile, name: String) throws(CatalogueFile.Fault) -> Language {
        try Languages.language(file, name: name)
    }

    /// Whether the catalogue has a translation of an English text.
    package func translates(_ identifier: String) -> Bool { catalogue.has(identifier) }

    /// How many of some texts it translates.
    package func translated(of identifiers: [String]) -> Int { identifiers.count(where: translates) }
}
