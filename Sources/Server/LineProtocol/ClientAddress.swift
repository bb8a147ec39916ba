import Foundation
import NIOCore

/// By what an address is counted: of IPv6 the network of 64 bits that one customer has, of IPv4 within IPv6 the IPv4.
enum ClientAddress {
    static func name(_ address: SocketAddress?) -> String { address?.ipAddress.map(name) ?? "local" }

    static func name(_ text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let withoutScope = String(text.prefix { $0 != "%" })
        guard inet_pton(AF_INET6, withoutScope, &bytes) == 1 else { return text }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map { String($0) }.joined(separator: ".")
        }
        let network = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return network.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
