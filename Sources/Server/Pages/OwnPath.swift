/// A path of this server that a browser may be sent to.
struct OwnPath: Hashable {
    let text: String

    /// - Returns: nil for an address that could lead a browser elsewhere: one with a host in any spelling,
    ///   controls, backslashes, and everything that is not a plain path.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 1_000, text.hasPrefix("/"), !text.hasPrefix("//"),
            text.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}

extension WebRequest {
    /// The page of this server from which a request came, if the browser names it.
    var referrer: OwnPath? {
        let parts = field("referer")?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let parts, parts.count == 4 else { return nil }
        return OwnPath("/" + parts[3])
    }
}
