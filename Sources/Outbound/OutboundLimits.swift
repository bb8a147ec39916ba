/// How long something that goes out may take, and how much may come back.
package struct OutboundLimits: Hashable, Sendable {
    /// Until a connection stands, TLS included.
    package var connecting: Duration
    /// From beginning to end.
    package var inAll: Duration
    /// Bytes of an answer that are read; what lies behind is left alone.
    package var answerBytes: Int

    package init(connecting: Duration = .seconds(10), inAll: Duration = .seconds(60), answerBytes: Int = 65_536) {
        self.connecting = connecting
        self.inAll = inAll
        self.answerBytes = answerBytes
    }
}

extension Duration {
    /// Whole milliseconds from 1 up, as libcurl takes them.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let whole = min(max(seconds, 0), 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000
        return Int(max(1, whole))
    }
}
