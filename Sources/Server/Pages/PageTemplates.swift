import Mustache

/// A file of `Templates`, by the name under which pages and other templates know it.
struct PageTemplate: Sendable {
    let name: String
    let text: [UInt8]

    init(_ name: String, _ text: [UInt8]) {
        self.name = name
        self.text = text
    }
}

/// The templates of all pages: Mustache, which escapes whatever is filled in.
struct PageTemplates: Sendable {
    /// Those of all pages, and the parts that these share.
    static let all = PageTemplates()

    private let library: MustacheLibrary
    /// Templates that Mustache rejects; always empty.
    let broken: [String]

    private init() {
        var (library, broken) = (MustacheLibrary(), [String]())
        for template in Self.shared + PageTable.groups.flatMap({ $0.templates }) {
            do {
                try library.register(String(decoding: template.text, as: UTF8.self), named: template.name)
            } catch {
                broken.append("\(template.name): \(error)")
            }
        }
        self.library = library
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
