import Desk
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
        guard !body.isEmpty else { return [:] }
        let type = field("content-type")?.split(separator: ";").first.map { $0.lowercased() }
        guard type?.trimmingSpaces() == "application/json" else {
            throw Problem(
                415, "media_type", "The body must be JSON: 'Content-Type: application/json'.",
                fields: ["Accept": "application/json"])
        }
        do throws(TextError) {
            guard case .object(let object) = try JSONParser.parse(body, maximumDepth: 64) else {
                throw TextError(.syntax, "an object is expected", line: 1, column: 1, offset: 0)
            }
            return object
        } catch {
            throw Problem.input("The body is not a JSON object: line \(error.line), \(error.message).")
        }
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

    /// The path for logs: without secrets, such as the key before the paths of a shared shelf.
    var maskedPath: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // A segment that cannot be decoded is not a key, but may contain one.
        let words = parts.map { try? PercentEncoding.decoded($0) }
        let shown = parts.indices.map { index -> Substring in
            let isBeforeShelf = index > 0 && index + 1 < words.count && ["books", "clean"].contains(words[index + 1])
            let isOwnWord = ["api", ""].contains(words[index])
            guard let word = words[index] else { return "..." }
            return SecretToken(shown: word) != nil || isBeforeShelf && !isOwnWord ? "..." : parts[index]
        }
        return shown.joined(separator: "/")
    }

    /// The members of the query or of a form, each once, in their order.
    ///
    /// - Throws: ``Problem`` for values that are not text, and for a name that occurs twice.
    static func members(of text: String) throws(Problem) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentEncoding.checked(pair[0], plusIsSpace: true)
            let value = try PercentEncoding.checked(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            guard !members.contains(where: { $0.name == name }) else {
                throw Problem.input("'\(name)' is given twice.")
            }
            members.append((name, value))
        }
        return members
    }
}

extension PercentEncoding {
    /// - Throws: ``Problem`` where it cannot be decoded.
    static func checked(_ text: Substring, plusIsSpace: Bool = false) throws(Problem) -> String {
        do {
            return try decoded(text, plusIsSpace: plusIsSpace)
        } catch {
            switch error {
            case .digits: throw .input("This is not well encoded: a '%' stands before no two digits.")
            case .text: throw .input("This is not UTF-8 text.")
            }
        }
    }
}
