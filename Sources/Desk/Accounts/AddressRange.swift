/// One address of the network, or those that begin alike: `10.0.0.7`, `10.0.0.0/8`, `2001:db8::/32`.
package struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    /// How many bits all addresses of it have in common.
    private let bits: Int

    /// - Returns: nil for what is neither an address nor a range in this notation (RFC 4632, RFC 4291): for a name, a port, a
    ///   zone, and for bits behind the prefix that are set.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bytes = ClientAddress.bytes(of: String(parts[0]))
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
        guard parts.count == 2 else {
            bits = bytes.count * 8
            return
        }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]) else { return nil }
        // IPv4 written within IPv6 is IPv4 here.
        let isWithin = bytes.count == 4 && parts[0].contains(":")
        let bits = isWithin ? given - 96 : given
        guard (0...bytes.count * 8).contains(bits) else { return nil }
        self.bits = bits
        guard Self.head(of: bytes, bits) == bytes else { return nil }
    }

    package func contains(_ address: ClientAddress) -> Bool {
        let other = ClientAddress.bytes(of: address.bare)
        return other.count == bytes.count && Self.head(of: other, bits) == bytes
    }

    /// The bytes with zeros behind so many bits.
    private static func head(of bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated().map { place, byte in
            let kept = max(0, min(8, bits - place * 8))
            return kept == 0 ? 0 : byte & (0xFF << UInt8(8 - kept))
        }
    }
}
