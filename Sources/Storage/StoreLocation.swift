/// Where a store is.
///
/// Written as `sqlite:PATH`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST:PORT/NAME`. The description never
/// shows a password.
package enum StoreLocation: Hashable, Sendable {
    /// An SQLite file.
    case file(String)
    /// A store that lives as long as it is open.
    case memory
    /// A PostgreSQL database, by its whole URL.
    case postgres(String)
}

extension StoreLocation {
    /// Reads a store's address.
    ///
    /// - Throws: ``StoreError/Code/badLocation``.
    package init(parsing text: String) throws(StoreError) {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(text)
            return
        }
        guard text.hasPrefix("sqlite:") else {
            throw .badLocation(
                "a store is `sqlite:PATH`, `sqlite::memory:` or `postgres://...`, not \(Self.hidingPassword(text))")
        }
        let path = String(text.dropFirst("sqlite:".count))
        switch path {
        case "": throw .badLocation("`sqlite:` wants the path of a file behind it")
        case ":memory:": self = .memory
        case _ where path.utf8.contains(0): throw .badLocation("the path of a store cannot contain a NUL byte")
        default: self = .file(path)
        }
    }
}

extension StoreLocation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let path): "sqlite:\(path)"
        case .memory: "sqlite::memory:"
        case .postgres(let url): Self.hidingPassword(url)
        }
    }

    /// The URL with what stands between the first `:` of its authority and the last `@` replaced, and the
    /// parameters `password` and `sslpassword` as well.
    private static func hidingPassword(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        // A password may itself contain a slash or a question mark that was not escaped: look for the last `@` at all.
        guard let at = rest.lastIndex(of: "@") else { return hidingParameter(url) }
        let head = rest[..<at]
        guard let colon = head.firstIndex(of: ":") else { return hidingParameter(url) }
        return hidingParameter(String(url[..<colon]) + ":***" + String(rest[at...]))
    }

    private static func hidingParameter(_ url: String) -> String {
        guard let question = url.firstIndex(of: "?") else { return url }
        let parameters = url[url.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            // A name may be written in escapes.
            let isSecret = name.lowercased().hasSuffix("password") || name.contains("%")
            return isSecret ? "\(name)=***" : String(parameter)
        }
        return String(url[...question]) + shown.joined(separator: "&")
    }
}
