/// Which addresses belong to the internet at large, and not to this machine, its network or nothing at all.
package enum PublicAddress {
    /// Whether an IPv4 address is public: none of those that RFC 6890 sets apart, no multicast.
    package static func isPublic(v4 bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 else { return false }
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224...255, _, _): return false
        case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): return false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): return false
        default: return true
        }
    }

    /// Whether an IPv6 address is public: global unicast (2000::/3) but for documentation and what carries an IPv4 address to
    /// which a gateway would lead.
    package static func isPublic(v6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16, bytes[0] & 0xE0 == 0x20 else { return false }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        // 2001::/23 has Teredo and protocols' own, 2001:db8::/32 documentation, 2002::/16 is 6to4.
        case (0x20, 0x01, 0x00...0x01, _), (0x20, 0x01, 0x0D, 0xB8), (0x20, 0x02, _, _): return false
        case (0x3F, 0xFF, 0x00...0x0F, _): return false
        default: return true
        }
    }
}
