import CCurl
import Glibc

/// Which addresses a request may lead to, whatever the name of the host is.
package enum WebReach: Hashable, Sendable {
    /// All: the administrator of this machine has configured the place.
    case anywhere
    /// Those of the internet at large alone.
    case publicOnly
    /// This machine alone.
    case loopback

    /// Whether a connection to an address may be opened.
    ///
    /// - Parameter address: 4 bytes of IPv4, or 16 of IPv6.
    package func allows(_ address: [UInt8]) -> Bool {
        switch self {
        case .anywhere: true
        case .publicOnly: PublicAddress.isPublic(v4: address) || PublicAddress.isPublic(v6: address)
        case .loopback:
            address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
        }
    }

    /// Opens sockets for libcurl if they lead where they may; libcurl takes anything else for a failed connection.
    ///
    /// It is asked for each address that a name led to, and again for each redirect: what a name means cannot change between
    /// the check and the connection.
    var opener: curl_opensocket_callback? {
        switch self {
        case .anywhere: nil
        case .publicOnly: { _, _, address in Self.open(address, .publicOnly) }
        case .loopback: { _, _, address in Self.open(address, .loopback) }
        }
    }

    private static func open(_ address: UnsafeMutablePointer<curl_sockaddr>?, _ reach: WebReach) -> curl_socket_t {
        guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return -1 }
        let socket = UnsafeRawPointer(address) + offset
        let bytes: [UInt8]
        switch address.pointee.family {
        case AF_INET:
            var name = sockaddr_in()
            memcpy(&name, socket, MemoryLayout<sockaddr_in>.size)
            bytes = withUnsafeBytes(of: name.sin_addr) { Array($0) }
        case AF_INET6:
            var name = sockaddr_in6()
            memcpy(&name, socket, MemoryLayout<sockaddr_in6>.size)
            bytes = withUnsafeBytes(of: name.sin6_addr) { Array($0) }
        default: return -1
        }
        guard reach.allows(bytes) else { return -1 }
        return Glibc.socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}
