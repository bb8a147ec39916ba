import Circulation
import Scripting
import Secrets

/// A cookie for a browser.
///
/// Where the server's address is https, its name begins with `__Host-`, so that browsers accept it from this very host
/// by https alone, and no other site can set it. No script may read it, and other sites' forms do not carry it along.
struct PageCookie: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        /// The token of a session, as the API hands it out.
        case session = ""
        /// A random value to which the forms of a visitor are bound before log-in.
        case visit = "-visit"
        /// The token from a mailed link, until the new password is set.
        case reset = "-reset"
        /// The code of the language that was picked.
        case language = "-language"
        /// The code of the branch where this browser stands, for staff.
        case workplace = "-branch"
    }

    var kind: Kind
    /// Empty: the browser deletes the cookie.
    var value: String
    /// How long it is kept; nil: until the browser is closed.
    var seconds: Int64?

    static func forgotten(_ kind: Kind) -> PageCookie { PageCookie(kind: kind, value: "", seconds: 0) }

    static func name(_ kind: Kind, _ settings: ServerSettings) -> String {
        (settings.isSecure ? "__Host-moonshelf" : "moonshelf") + kind.rawValue
    }

    /// The value of the header's field `Set-Cookie`.
    func text(_ settings: ServerSettings) -> String {
        var parts = ["\(Self.name(kind, settings))=\(value)", "Path=/", "HttpOnly", "SameSite=Lax"]
        if settings.isSecure { parts.append("Secure") }
        if let seconds { parts.append("Max-Age=\(seconds)") }
        return parts.joined(separator: "; ")
    }

    /// The token that a browser sends; nil for none, for several, and for one that is malformed.
    static func shown(_ kind: Kind, in request: WebRequest, _ settings: ServerSettings) -> SecretToken? {
        text(kind, in: request, settings).flatMap { SecretToken(shown: $0) }
    }

    /// The value that a browser sends; nil for none and for several.
    static func text(_ kind: Kind, in request: WebRequest, _ settings: ServerSettings) -> String? {
        let prefix = name(kind, settings) + "="
        let pairs = request.fields.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
        let values = pairs.map { String($0).trimmingSpaces() }.filter { $0.hasPrefix(prefix) }
        guard values.count == 1, let value = values.first else { return nil }
        return String(value.dropFirst(prefix.count))
    }
}

extension ServerSettings {
    /// Whether people reach the server by https.
    var isSecure: Bool { url.lowercased().hasPrefix("https://") }
}
