import Mustache

/// The templates of all pages: Mustache, which escapes whatever is filled in.
struct PageTemplates: Sendable {
    static let shared = PageTemplates()

    private let library: MustacheLibrary
    /// Templates that Mustache rejects; always empty.
    let broken: [String]

    private init() {
        var (library, broken) = (MustacheLibrary(), [String]())
        for (name, bytes) in Self.files {
            do {
                try library.register(String(decoding: bytes, as: UTF8.self), named: name)
            } catch {
                broken.append("\(name): \(error)")
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
