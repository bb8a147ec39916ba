import CCurl

/// A connection that stays open from one message to the next, as long as the other side likes.
///
/// Not `Sendable`: it lives on one thread, with one transfer at a time. What it costs to begin anew (names, TLS, a password)
/// is most of what a message costs.
package final class KeptConnection {
    /// libcurl keeps connections with the handle that made them.
    private var handle: UnsafeMutableRawPointer?

    package init() {}

    deinit {
        close()
    }

    /// Ends it in good order; the next message begins another.
    package func close() {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
    }

    /// Lends the handle to a transfer, which gives it back.
    func take() -> UnsafeMutableRawPointer? {
        defer { handle = nil }
        return handle
    }

    func giveBack(_ handle: UnsafeMutableRawPointer) {
        close()
        // Options and callbacks go, connections stay.
        curl_easy_reset(handle)
        self.handle = handle
    }
}
