import Foundation
import Server
import Synchronization
import Testing

/// A browser without a screen: it keeps cookies, follows redirects, and sends the forms that stand in its page.
final class PageBrowser: Sendable {
    let server: TestServer
    private let jar = Mutex<[String: String]>([:])
    private let seen = Mutex<WebResponse?>(nil)

    init(_ server: TestServer) {
        self.server = server
    }

    var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    /// The page that is looked at.
    var page: WebResponse { seen.withLock { $0 } ?? WebResponse(0) }

    /// Asks once, without following anything.
    func ask(
        _ method: String, _ path: String, _ body: String = "", fields: [(name: String, value: String)] = []
    ) async -> WebResponse {
        let parts = path.split(separator: "?", maxSplits: 1)
        var request = WebRequest(
            method, String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil, fields: fields,
            body: Array(body.utf8))
        if method == "POST" { request.fields.append(("content-type", "application/x-www-form-urlencoded")) }
        let cookies = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        if !cookies.isEmpty { request.fields.append(("cookie", cookies)) }
        let answer = await server.web.answer(request)
        for cookie in answer.cookies {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            jar.withLock { $0[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1]) }
        }
        return answer
    }

    /// Looks at a page, wherever it leads.
    @discardableResult
    func open(_ path: String) async throws -> String {
        try await show(await ask("GET", path))
    }

    /// Sends the form of the page that goes to a path, with its hidden fields and these.
    @discardableResult
    func send(_ path: String, _ fields: [String: String] = [:]) async throws -> String {
        try await show(await ask("POST", path, try form(path, fields)))
    }

    /// What the form of the page sends that goes to a path, itself or by one of its buttons.
    func form(_ path: String, _ fields: [String: String] = [:]) throws -> String {
        let forms = page.text.matches(of: #/(?s)<form.*?<\/form>/#).map(\.output)
        let form = try #require(
            forms.first { $0.contains(" action=\"\(path)\"") } ?? forms.first { $0.contains("action=\"\(path)\"") },
            "no form to \(path) in \(page.text)")
        var all: [String: String] = [:]
        for match in form.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)"/) {
            all[String(match.1)] = String(match.2)
        }
        all.merge(fields) { $1 }
        return all.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    func logIn(_ name: String) async throws {
        try await open("/log-in")
        try await send("/log-in", ["username": name, "password": TestServer.password])
        #expect(page.status == 200, "\(page.text)")
    }

    private func show(_ answer: WebResponse) async throws -> String {
        var answer = answer
        for _ in 0..<5 where answer.status == 303 {
            answer = await ask("GET", try #require(answer.fields["Location"]))
        }
        seen.withLock { [answer] in $0 = answer }
        // A text that was not said is shown as the program has it.
        #expect(
            !answer.text.contains("identifier: &quot;") && !answer.text.contains("identifier: \""), "\(answer.text)")
        return answer.text
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
    }
}
