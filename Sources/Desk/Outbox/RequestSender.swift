package import TextFormats

/// Brings requests to servers outside. It knows networks and no store; it is never called within a transaction.
package protocol RequestSender: Sendable {
    /// Scheme, host and port of the servers that scripts may reach, such as `https://example.org:443`.
    var hostsOfScripts: Set<String> { get }
    /// The longest that one call of ``send(_:for:)`` takes.
    var timeLimit: Duration { get }
    /// Why nothing is sent to a place, in words that finish "url ..."; nil: it is. Names are not looked up for that.
    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String?
    /// Sends a request; an answer with whatever status is one.
    func send(_ request: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault>
    /// What an answer other than 2xx means; nil: the server has taken the request.
    func fault(of answer: WebAnswer, to request: WebCall) -> DeliveryFault?
}

/// Who named the place that a request goes to, on which depends where it may lead.
package enum RequestPurpose: Hashable, Sendable {
    /// The settings of a plugin: this machine too, if they name it as such.
    case plugin
    /// A person over HTTP: never this machine or its network.
    case webhook
}

/// A request as it goes out.
package struct WebCall: Hashable, Sendable {
    package var method: String
    package var url: String
    /// The media type of the body.
    package var type: String
    /// `Name: value`
    package var headers: [String]
    /// nil: there is none.
    package var body: String?

    package init(method: String, url: String, type: String = "", headers: [String] = [], body: String? = nil) {
        self.method = method
        self.url = url
        self.type = type
        self.headers = headers
        self.body = body
    }
}

/// What a server answered.
package struct WebAnswer: Hashable, Sendable {
    package var status: Int
    /// By names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]
    /// For how long it wants to be left alone, in seconds; 0: it did not say.
    package var pause: Int

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], pause: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.pause = pause
    }
}
