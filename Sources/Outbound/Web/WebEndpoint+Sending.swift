import CCurl
import Circulation
import TextFormats

/// A field of a request.
package struct WebHeader: Hashable, Sendable {
    let line: String

    /// - Returns: nil for a name that is not a token, or a value that is not one line of ASCII.
    package init?(_ name: String, _ value: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(EmailAddress.isAtom),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { return nil }
        line = "\(name): \(value)"
    }
}

extension WebEndpoint {
    /// Posts a body. A redirect is not followed.
    ///
    /// - Returns: the answer, whose status is 2xx. One longer than the limit is cut and counts as an answer all the
    ///   same.
    /// - Throws: ``OutboundFailure``. A status 3xx or 4xx is final, but for 408, 425 and 429, and for 401, 403 and 407,
    ///   which are about the one who sends.
    package func post(
        _ body: [UInt8], type: String, headers: [WebHeader] = [], isStopped: @escaping () -> Bool = { false }
    ) throws(OutboundFailure) -> WebResponse {
        var response = try send("POST", body, type: type, headers: headers, isStopped: isStopped)
        response.headers = [:]
        return try answer(response)
    }

    /// Sends a request. A redirect is not followed.
    ///
    /// - Parameters:
    ///   - body: what goes out; nil: nothing does.
    ///   - type: the type of the body.
    /// - Returns: the answer, whatever its status; one longer than the limit is cut.
    /// - Throws: ``OutboundFailure`` where there is none.
    package func send(
        _ method: String, _ body: [UInt8]?, type: String = "", headers: [WebHeader] = [],
        isStopped: @escaping () -> Bool = { false }
    ) throws(OutboundFailure) -> WebResponse {
        let transfer = try transfer(to: url, isStopped)
        var lines = headers.map(\.line)
        if let body {
            guard let type = WebHeader("Content-Type", type) else {
                throw OutboundFailure(.badAddress, "'\(OutboundText.line(type))' is not a type of content.")
            }
            // Without a promise, the body goes out at once.
            lines += [type.line, "Expect:"]
            try transfer.set(CURLOPT_POST, 1)
            try transfer.set(CURLOPT_POSTFIELDSIZE, body.count)
            transfer.setUpload(body)
        }
        try transfer.set(CURLOPT_CUSTOMREQUEST, method)
        try transfer.set(CURLOPT_HTTPHEADER, lines)
        try transfer.keepReplies()
        let result = transfer.run()
        let isWhole = result.code == CURLE_OK || result.code == CURLE_WRITE_ERROR && transfer.isAnswerCut
        guard isWhole else { throw OutboundFailure(result, at: place) }
        var response = WebResponse(status: result.status, body: result.answer, isCut: transfer.isAnswerCut)
        response.pause = result.pause
        response.headers = Self.fields(result.replies)
        return response
    }

    /// The fields of the last head among lines.
    private static func fields(_ lines: [Substring]) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            if line.hasPrefix("HTTP/") { fields = [:] }
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = OutboundText.line(String(line[line.index(after: colon)...]), limit: 4_000)
            let trimmed = String(value.drop { $0 == " " })
            fields[line[..<colon].lowercased(), default: trimmed] = trimmed
        }
        return fields
    }

    /// Gets what a query asks for. A redirect is not followed.
    ///
    /// - Parameter query: names and values as they are meant; they are encoded here.
    /// - Returns: the whole answer, whose status is 2xx.
    /// - Throws: ``OutboundFailure``, for an answer longer than the limit too.
    package func get(
        _ query: [(name: String, value: String)], isStopped: @escaping () -> Bool = { false }
    ) throws(OutboundFailure) -> WebResponse {
        let words = query.map { "\(WebAddress.encoded($0.name))=\(WebAddress.encoded($0.value))" }
        let address = url + (url.contains("?") ? "&" : "?") + words.joined(separator: "&")
        let transfer = try transfer(to: address, isStopped)
        try transfer.set(CURLOPT_HTTPHEADER, ["Accept: application/json"])
        let result = transfer.run()
        if transfer.isAnswerCut {
            throw OutboundFailure(.badAnswer, "\(place): the answer is longer than \(limits.answerBytes) bytes")
        }
        guard result.code == CURLE_OK else { throw OutboundFailure(result, at: place) }
        return try answer(WebResponse(status: result.status, body: result.answer))
    }

    /// A transfer to where this leads, with libcurl's own user agent replaced.
    func transfer(
        to url: String, _ isStopped: @escaping () -> Bool
    ) throws(OutboundFailure) -> CurlTransfer {
        let transfer = try CurlTransfer(url, protocols: "http,https", limits: limits, isStopped: isStopped)
        try transfer.restrict(to: reach)
        try transfer.set(CURLOPT_USERAGENT, "moonshelf")
        if let authorities { try transfer.set(CURLOPT_CAINFO, authorities) }
        return transfer
    }

    /// - Throws: ``OutboundFailure`` for a status that is not 2xx.
    package func answer(_ answer: WebResponse) throws(OutboundFailure) -> WebResponse {
        let code: OutboundFailure.Code
        switch answer.status {
        case 200...299: return answer
        case 401, 403, 407: code = .signIn
        case 408, 425, 429, 500...599: code = .temporary
        case 300...499: code = .refused
        default: code = .badAnswer
        }
        let words = OutboundText.line(String(decoding: answer.body.prefix(200), as: UTF8.self))
        let hint = (300...399).contains(answer.status) ? ", and redirects are not followed" : ""
        throw OutboundFailure(
            code, "\(place): HTTP status \(answer.status)\(hint)\(words.isEmpty ? "" : ": \(words)")",
            status: answer.status)
    }
}
