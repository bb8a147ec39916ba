import TextFormats

/// Why something did not go out, and whether it makes sense to try again.
package struct OutboundFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// An address, URL or header that nothing can be sent to or with.
        case badAddress = "bad_address"
        /// The other side will never take it: a reply 5xx of a mail server, 4xx of a web server.
        case refused
        /// The other side says: later. A reply 4xx of a mail server, 429 or 5xx of a web server.
        case temporary
        /// No connection came about.
        case unreachable
        case timedOut = "timed_out"
        /// The connection ended before an answer was whole.
        case cutOff = "cut_off"
        /// An answer that is none by the protocol.
        case badAnswer = "bad_answer"
        /// No TLS where it is required, or a certificate that no trusted authority has signed.
        case insecure
        /// Name and password, or the signature, were not accepted.
        case signIn = "sign_in"
        /// It was called off from this side.
        case stopped
    }

    package var code: Code
    /// One line for the administrator: what happened, with the other side's own words.
    package var message: String
    /// The status of the protocol, where there was one: 550, 503.
    package var status: Int?
    /// Whether all that was to be sent had left this side.
    package var wasSent = true

    package init(_ code: Code, _ message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }

    /// Whether trying again can never help.
    package var isFinal: Bool { code == .refused || code == .badAddress }

    /// Whether the way itself is out of order, so that other messages by it fare no better for now.
    package var concernsEveryone: Bool {
        switch code {
        case .unreachable, .insecure, .signIn: true
        default: false
        }
    }

    /// Whether the other side may have taken over what was sent: no answer came, or none that could be read.
    package var mayHaveArrived: Bool {
        switch code {
        case .timedOut, .cutOff, .badAnswer, .stopped: wasSent
        default: false
        }
    }

    package var description: String { message }
}

extension WebAddress {
    /// - Throws: ``OutboundFailure/Code/badAddress`` in words that finish "url ...".
    init(sendingTo text: String, schemes: [String: Int] = WebAddress.web) throws(OutboundFailure) {
        do throws(Fault) {
            try self.init(text, schemes: schemes)
        } catch {
            throw OutboundFailure(.badAddress, error.words)
        }
    }
}
