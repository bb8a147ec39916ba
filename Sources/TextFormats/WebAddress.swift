/// The parts of a URL that something is sent to, checked before libcurl sees them, since it interprets odd URLs in its own
/// way.
package struct WebAddress: Hashable, Sendable {
    /// Why a text is none, in words that finish "url ...".
    package struct Fault: Error, Hashable, Sendable {
        package let words: String

        package init(_ words: String) {
            self.words = words
        }
    }

    package let scheme: String
    /// In lower case; an IPv6 address stands in brackets.
    package let host: String
    package let port: Int
    /// What follows: path and query, as they were written.
    package let path: String

    /// The schemes of the web with their usual ports.
    package static let web = ["https": 443, "http": 80]

    /// - Parameter schemes: those allowed, with their usual ports.
    package init(_ text: String, schemes: [String: Int] = WebAddress.web) throws(Fault) {
        let expected = schemes.keys.sorted().map { "\($0)://" }.joined(separator: " or ")
        func fault(_ words: String) -> Fault { Fault(words) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.utf8.contains(UInt8(ascii: "\\")) else {
            throw fault("must be ASCII, without blanks")
        }
        guard let colon = text.firstRange(of: "://"), let usual = schemes[text[..<colon.lowerBound].lowercased()] else {
            throw fault("must begin with \(expected)")
        }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw fault("must not hold a name or password") }
        guard !rest.contains("#") else { throw fault("must not have a fragment") }
        guard let (host, port) = Self.parts(of: authority) else {
            throw fault("must have a host, and a port from 1 to 65535 if any")
        }
        scheme = text[..<colon.lowerBound].lowercased()
        self.host = host
        self.port = port ?? usual
        path = String(rest[end...])
    }

    /// Host and port.
    package var place: String { "\(host):\(port)" }

    /// Where it leads, without what may be secret in it: scheme, host, port and path.
    package var shown: String { "\(scheme)://\(place)\(path.prefix { $0 != "?" })" }

    /// Whether it stays on this machine.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// A text as a value of a query (RFC 3986): all but unreserved characters are encoded.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let isUnreserved = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-._~".utf8.contains(byte)
            if isUnreserved {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func parts(of authority: Substring) -> (String, Int?)? {
        let bracket = authority.first == "[" ? authority.firstIndex(of: "]") : authority.startIndex
        guard let bracket else { return nil }
        let colon = authority[bracket...].firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)]
        let isName = host.utf8.allSatisfy { byte in
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
        }
        let isAddress =
            host.first == "[" && host.last == "]"
            && host.dropFirst().dropLast().allSatisfy {
                $0 == ":" || $0 == "." || $0.isHexDigit
            }
        guard !host.isEmpty, isName || isAddress else { return nil }
        guard let colon else { return (host.lowercased(), nil) }
        guard let port = UInt16(authority[authority.index(after: colon)...]), port > 0 else { return nil }
        return (host.lowercased(), Int(port))
    }
}
