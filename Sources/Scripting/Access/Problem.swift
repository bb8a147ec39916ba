package import TextFormats

/// Why a request was not carried out, as a program reads it: problem details (RFC 9457).
///
/// It does not distinguish missing records: another patron's record answers with the same bytes as none.
package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status of HTTP.
    package var status: Int
    /// A stable word; the `code` of the document.
    package var code: String
    /// What a person reads.
    package var detail: String
    /// Further members: `details`, `policy` and `where` of a refusal.
    package var members: JSONObject
    /// Further fields of the header.
    package var fields: [String: String]
    /// The argument at fault, for the form that it comes from; `detail` names it as well.
    package var argument: String?

    package init(
        _ status: Int, _ code: String, _ detail: String, members: JSONObject = [:], fields: [String: String] = [:]
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.members = members
        self.fields = fields
    }

    /// What a script reads that catches it.
    package var description: String { detail }

    /// The document of the type `application/problem+json`.
    package var json: JSON {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(Self.titles[status] ?? "Error"), "status": .integer(Int64(status)),
            "code": .string(code), "detail": .string(detail),
        ]
        for entry in members.entries { object[entry.key] = entry.value }
        return .object(object)
    }

    /// The statuses that answers have, with their phrases (RFC 9110, section 15).
    package static let titles: [Int: String] = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 412: "Precondition Failed",
        413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 503: "Service Unavailable",
    ]

    package static let notFound = Problem(404, "not_found", "There is nothing here.")
    package static let noToken = Problem(
        401, "no_token", "Log in, and send the token: 'Authorization: Bearer TOKEN'.",
        fields: ["WWW-Authenticate": "Bearer"])
    package static let badToken = Problem(
        401, "invalid_token", "The token is unknown, has expired or was revoked.",
        fields: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
    package static let notAllowed = Problem(403, "not_allowed", "Your role does not allow this.")
    package static let metricsNotAllowed = Problem(
        403, "not_allowed",
        "Metrics are for programs on the server's own machine, and for an administrator's key: 'Authorization: Bearer KEY'."
    )
    package static let busy = Problem(
        503, "busy", "The server is busy; try again in a moment.", fields: ["Retry-After": "1"])
    package static let fault = Problem(500, "internal", "Something went wrong here; the log has the details.")

    /// What came does not make sense.
    ///
    /// - Parameter argument: the argument at fault.
    package static func input(_ detail: String, argument: String? = nil) -> Problem {
        var problem = Problem(400, "input", detail)
        problem.argument = argument
        return problem
    }

    /// Something was tried too often; in so many seconds it may be tried again.
    package static func tooOften(_ seconds: Int) -> Problem {
        Problem(
            429, "too_many_requests", "Too many requests. Please try again in \(seconds) seconds.",
            fields: ["Retry-After": String(seconds)])
    }

    /// What a refusal of the desk is in the words of HTTP. Of a missing record and of another patron's record the same
    /// is said; what a field of the body names in vain is said with the field.
    package static func refusal(_ refusal: JSONObject) -> Problem {
        let code = refusal["code"]?.stringValue ?? "refused"
        let isOfField = refusal["details"]?["reasons"]?.arrayValue?.first?["figures"]?["field"] != nil
        let isMissing = code.hasPrefix("unknown_") && statuses[code] == nil && !isOfField
        if code == "not_owner" || isMissing { return notFound }
        var members = refusal
        for name in ["code", "message"] { members[name] = nil }
        let words = refusal["message"]?.stringValue ?? "The request was refused."
        return Problem(statuses[code] ?? (isOfField ? 422 : 409), code, words, members: members)
    }

    private static let statuses = [
        "not_allowed": 403, "weak_password": 422, "invalid_email": 422, "invalid_token": 422, "unknown_category": 422,
        "unknown_branch": 422,
        "book_data_unreachable": 503,
    ]
}
