import TextFormats

/// A configured URL to which requests are sent. Nothing of a request changes where it goes.
package struct WebEndpoint: Hashable, Sendable {
    package let url: String
    /// Host and port, for messages.
    package let place: String
    /// A file of certificates to trust instead of the system's.
    package var authorities: String?
    package var limits: OutboundLimits
    /// The addresses that the host may have.
    package var reach: WebReach

    /// - Parameters:
    ///   - url: `https://...`, or `http://...` on this machine; without name, password or fragment.
    ///   - allowsPlain: `http://` elsewhere too.
    /// - Throws: ``OutboundFailure/Code/badAddress`` in words that finish "url ...".
    package init(
        _ url: String, allowsPlain: Bool = false, authorities: String? = nil, limits: OutboundLimits = OutboundLimits(),
        reach: WebReach = .anywhere
    ) throws(OutboundFailure) {
        let parts = try WebAddress(sendingTo: url)
        guard parts.scheme == "https" || parts.isLoopback || allowsPlain else {
            throw OutboundFailure(.badAddress, "must be https://; http:// goes to this machine alone")
        }
        self.url = url
        place = parts.place
        self.authorities = authorities
        self.limits = limits
        self.reach = reach
    }
}

/// What a server answered.
package struct WebResponse: Hashable, Sendable {
    package var status: Int
    /// Its first bytes, as many as the limit allows.
    package var body: [UInt8]
    package var isCut: Bool
    /// Its fields by their names in lower case, where they were asked for.
    package var headers: [String: String] = [:]
    /// For how long the server wants to be left alone, in seconds; 0: it did not say.
    package var pause = 0

    package init(status: Int, body: [UInt8], isCut: Bool = false) {
        self.status = status
        self.body = body
        self.isCut = isCut
    }
}
