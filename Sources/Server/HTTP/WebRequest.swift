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
            throw Problem.input("The body is no JSON object: line \(error.line), \(error.message).")
        }
    }

    /// The segments of the path, decoded.
    ///
    /// - Throws: ``Problem`` for a body that is not text.
    func segments() throws(Problem) -> [String] {
        guard path.hasPrefix("/") else { throw Problem.notFound }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try PercentCoding.decoded(part))
        }
        // A slash at the end is ignored.
        if segments.last == "" { segments.removeLast() }
        return segments
    }

    /// The path for logs: without secrets, such as the key before the paths of a shared shelf.
    var maskedPath: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // A segment that cannot be decoded is not a key, but may contain one.
        let words = parts.map { try? PercentCoding.decoded($0) }
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
            let name = try PercentCoding.decoded(pair[0], plusIsSpace: true)
            let value = try PercentCoding.decoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            guard !members.contains(where: { $0.name == name }) else {
                throw Problem.input("'\(name)' is given twice.")
            }
            members.append((name, value))
        }
        return members
    }
}

/// Percent-encoding (RFC 3986, section 2.1).
enum PercentCoding {
    /// - Throws: ``Problem`` where it is not UTF-8, a control character hides in it, or a `%` stands alone.
    static func decoded(_ text: Substring, plusIsSpace: Bool = false) throws(Problem) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    throw Problem.input("This is not well encoded: a '%' stands before no two digits.")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self),
            !decoded.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" && $0 != "\t" && $0 != "\r" })
        else {
            throw Problem.input("This is no UTF-8 text.")
        }
        return decoded
    }

    /// A text as a segment of a path, or as a value of a query.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-._~".utf8.contains(byte)
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
