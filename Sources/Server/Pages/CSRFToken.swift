import Secrets
import TextFormats

/// Distinguishes our forms from those of other sites, by a code that only the holder of the browser's cookie can know.
struct CSRFToken {
    /// What a form must carry.
    let code: String

    /// - Parameter token: the session's, or that of a visitor who has not logged in.
    init(_ token: SecretToken) {
        code = MessageAuthentication.code(of: "moonshelf: a form of this browser".utf8, secret: Array(token.text.utf8))
    }

    /// Takes constant time, whatever differs.
    func matches(_ shown: String) -> Bool {
        let (ours, theirs) = (Array(code.utf8), Array(shown.utf8))
        guard ours.count == theirs.count else { return false }
        return zip(ours, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension WebRequest {
    /// Whether the browser itself says that another site sent the request.
    ///
    /// Browsers send `Sec-Fetch-Site` and `Origin`, which no page can forge. Where both are missing, the form's
    /// seal decides.
    func isFromElsewhere(_ settings: ServerSettings) -> Bool {
        if let site = field("sec-fetch-site"), site != "same-origin", site != "none" { return true }
        let origins = fields.filter { $0.name == "origin" }.map(\.value)
        guard let origin = origins.first else { return false }
        guard origins.count == 1 else { return true }
        if origin == Self.origin(of: settings.url) { return false }
        guard let host = field("host") else { return true }
        return origin != "http://\(host)" && origin != "https://\(host)"
    }

    /// Scheme, host and port of an address.
    private static func origin(of url: String) -> String {
        let parts = url.lowercased().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return url }
        return "\(parts[0])//\(parts[2].prefix { $0 != "/" })"
    }
}
