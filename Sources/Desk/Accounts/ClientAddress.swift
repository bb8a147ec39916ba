import Foundation

/// An address of the network, by what it is counted: of IPv6 the network of 64 bits that one customer has, of IPv4
/// within IPv6 the IPv4.
package struct ClientAddress: Hashable, Sendable {
    /// What requests of it are counted by; the same however the address was written.
    package let key: String
    /// The address itself, without port, brackets or quotes, as it was written.
    package let bare: String
    /// Whether it is an address at all, and no name or nonsense.
    package let isNumeric: Bool
    package let isLoopback: Bool

    /// - Parameter text: as the network or a proxy writes it: with a port, in brackets, in quotes, with a zone, or
    ///   bare.
    package init(_ text: String) {
        bare = Self.bare(text)
        let bytes = Self.bytes(of: bare)
        isNumeric = !bytes.isEmpty
        switch bytes.count {
        case 4:
            key = bytes.map { String($0) }.joined(separator: ".")
            isLoopback = bytes[0] == 127
        case 16:
            let network = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            key = network.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
            isLoopback = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
        default:
            key = "unknown"
            isLoopback = false
        }
    }

    package static func == (one: ClientAddress, other: ClientAddress) -> Bool {
        one.isNumeric && other.isNumeric ? bytes(of: one.bare) == bytes(of: other.bare) : one.bare == other.bare
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key == "unknown" ? bare : key) }

    /// Four bytes, or sixteen; none where it is not an address.
    static func bytes(of bare: String) -> [UInt8] {
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, bare, &four) == 1 { return four }
        var six = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, bare, &six) == 1 else { return [] }
        let isMapped = six[..<10].allSatisfy { $0 == 0 } && six[10] == 0xFF && six[11] == 0xFF
        // Of 64:ff9b::/96 too: a gateway writes the addresses of IPv4 so.
        let isTranslated = six[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        return isMapped || isTranslated ? Array(six[12...]) : six
    }

    /// The address alone, of `1.2.3.4:567`, `[2001:db8::1]:567`, `"2001:db8::1"` and `fe80::1%eth0`.
    private static func bare(_ text: String) -> String {
        var bare = text[...]
        while let first = bare.first, first == "\"" || first == " " || first == "\t" { bare.removeFirst() }
        while let last = bare.last, last == "\"" || last == " " || last == "\t" { bare.removeLast() }
        if bare.first == "[" {
            bare = bare.dropFirst().prefix { $0 != "]" }
        } else if bare.filter({ $0 == ":" }).count == 1 {
            bare = bare.prefix { $0 != ":" }
        }
        return String(bare.prefix { $0 != "%" })
    }
}
