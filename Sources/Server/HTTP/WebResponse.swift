package import Scripting
package import TextFormats

/// An outgoing answer.
package struct WebResponse: Hashable, Sendable {
    package var status: Int
    package var fields: [String: String]
    package var body: [UInt8]
    /// Values of `Set-Cookie`, each a field of its own.
    package var cookies: [String] = []

    package init(_ status: Int, _ type: String? = nil, body: [UInt8] = [], fields: [String: String] = [:]) {
        self.status = status
        self.fields = fields
        self.body = body
        if let type { self.fields["Content-Type"] = type }
    }

    package init(_ status: Int, json: JSON, fields: [String: String] = [:]) {
        self.init(status, "application/json", body: Array(json.text().utf8), fields: fields)
    }

    package init(_ problem: Problem) {
        self.init(
            problem.status, "application/problem+json", body: Array(problem.json.text().utf8), fields: problem.fields)
    }

    package init(_ status: Int, text: String, _ type: String = "text/plain; charset=utf-8") {
        self.init(status, type, body: Array(text.utf8))
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The entity tag of this body (RFC 9110, section 8.8.3).
    var tag: String { "\"\(SHA256.hexadecimal(of: body).prefix(32))\"" }
}
