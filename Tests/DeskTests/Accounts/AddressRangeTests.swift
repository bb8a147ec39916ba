import Desk
import Testing

@Suite("Ranges of addresses")
struct AddressRangeTests {
    @Test(
        "an address or a range has the addresses that begin alike",
        arguments: [
            ("127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1", "127.0.0.1:80"], ["127.0.0.2", "::1", "unknown"]),
            ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255"]),
            ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
            ("192.0.2.6/31", ["192.0.2.6", "192.0.2.7"], ["192.0.2.8", "192.0.2.5"]),
            ("192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6"]),
            ("0.0.0.0/0", ["1.2.3.4"], ["2001:db8::1"]),
            ("::ffff:10.0.0.0/104", ["10.1.2.3"], ["11.0.0.0"]),
            ("2001:db8::/32", ["2001:db8::1", "2001:db8:ffff::", "[2001:db8::1]:80"], ["2001:db9::", "10.0.0.1"]),
            ("fe80::/10", ["fe80::1%eth0", "febf::1"], ["fec0::1"]), ("::1", ["::1"], ["::2", "127.0.0.1"]),
        ])
    func contains(text: String, members: [String], others: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in members { #expect(range.contains(ClientAddress(address)), "\(address)") }
        for address in others { #expect(!range.contains(ClientAddress(address)), "\(address)") }
    }

    @Test(
        "what is no address and no range is none",
        arguments: [
            "", " ", "localhost", "proxy.example.org", "10.0.0", "10.0.0.256", "10.0.0.1:80", "[::1]", "::1%lo",
            "10.0.0.0/",
            "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.7/8", "2001:db8::/129",
            "2001:db8::1/64",
            "10.0.0.0/255.0.0.0", "10.0.0.*", "0x7f.1", "127.1", " 10.0.0.1", "::ffff:10.0.0.0/8", "10.0.0.0/\u{664}",
        ])
    func none(text: String) { #expect(AddressRange(text) == nil) }
}
