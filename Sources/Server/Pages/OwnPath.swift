/// A path of this server that a browser may be sent to.
struct OwnPath: Hashable {
    let text: String

    /// - Returns: nil for what could lead a browser elsewhere: an address with a host, whatever way it is written, controls,
    ///   backslashes, and what is no plain address at all.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 1_000, text.hasPrefix("/"), !text.hasPrefix("//"),
            text.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}

extension WebRequest {
    /// The page of ours from which a request came, as far as the browser says so.
    var referrer: OwnPath? {
        let parts = field("referer")?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let parts, parts.count == 4 else { return nil }
        return OwnPath("/" + parts[3])
    }
}
