import Desk
import Scripting
import Secrets
import TextFormats

/// A whole request, independent of the HTTP server.
package struct WebRequest: Sendable {
    /// As it was sent: `GET`.
    package var method: String
    /// Percent-encoded, without the query.
    package var path: String
    /// The query; nil without one.
    package var query: String?
    /// Names in small letters.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// The address of the client, without the port.
    package var address: String
    /// Places of segments of the path that are secrets, as its route says.
    var secretPlaces: Set<Int> = []

    package init(
        _ method: String, _ path: String, query: String? = nil, fields: [(name: String, value: String)] = [],
        body: [UInt8] = [], address: String = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.address = address
    }

    /// The client address under which attempts are counted.
    var origin: ClientAddress { ClientAddress(address) }

    /// The only value of a field of the header; nil if it is missing or occurs several times.
    package func field(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// Whether a program on this machine sent it, rather than a proxy on this machine for another one.
    var isFromThisMachine: Bool {
        let isLoopback = address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
        return isLoopback
            && !fields.contains { ["forwarded", "via"].contains($0.name) || $0.name.hasPrefix("x-forwarded-") }
    }

    /// The JSON object that the body is; an empty one for an empty body.
    ///
    /// - Throws: ``Problem`` for a body that is not a JSON object, or is declared to be something else.
    func jsonObject() throws(Problem) -> JSONObject {
        try RequestText.jsonObject(body, type: field("content-type"))
    }

    /// The segments of the path, decoded.
    ///
    /// - Throws: ``Problem`` for a body that is not text.
    func segments() throws(Problem) -> [String] {
        guard path.hasPrefix("/") else { throw Problem.notFound }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try PercentEncoding.checked(part))
        }
        // A slash at the end is ignored.
        if segments.last == "" { segments.removeLast() }
        return segments
    }

    /// The path for logs: without secrets, such as a key in it.
    var maskedPath: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // A segment that cannot be decoded is not a key, but may contain one.
        let words = parts.map { try? PercentEncoding.decoded($0) }
        let shown = parts.indices.map { index -> Substring in
            guard let word = words[index] else { return "..." }
            return SecretToken(shown: word) != nil || secretPlaces.contains(index - 1) ? "..." : parts[index]
        }
        return shown.joined(separator: "/")
    }
}
