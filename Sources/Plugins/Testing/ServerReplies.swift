import Desk
import LuaRuntime
import Scripting
import Synchronization
import TextFormats

/// The network of a test: servers answer what the test says, and nothing goes out.
final class ServerReplies: RequestSender {
    let hostsOfScripts: Set<String> = []
    let timeLimit = Duration.zero

    private let replies = Mutex<[String: Result<WebAnswer, DeliveryFault>]>([:])
    private let calls = Mutex<[WebCall]>([])

    /// What was asked, the first one first.
    var asked: [WebCall] { calls.withLock { $0 } }
    private static let keys = ["status", "json", "body", "headers", "error"]

    /// `http.reply(url, { status = 200, json = {} })`
    ///
    /// - Throws: `LuaHostError`.
    func set(_ arguments: LuaArguments) throws {
        guard let url = arguments[0].stringValue, let reply = try arguments.value(at: 1).tableValue else {
            throw LuaHostError("http.reply: arguments are a url and a table such as { status = 200, json = {} }")
        }
        for entry in reply.entries where !Self.keys.contains(entry.key.stringValue ?? "") {
            throw LuaHostError("http.reply: a reply has \(Self.keys.joined(separator: ", "))")
        }
        if let error = reply["error"].stringValue {
            return replies.withLock { $0[url] = .failure(DeliveryFault(error, "The test says so.")) }
        }
        var answer = WebAnswer(status: Int(reply["status"].integerValue ?? 200))
        if let text = reply["body"].stringValue { answer.body = Array(text.utf8) }
        if let json = JSON(plain: reply["json"]), !reply["json"].isNil { answer.body = Array(json.text().utf8) }
        for entry in reply["headers"].tableValue?.entries ?? [] {
            answer.headers[entry.key.stringValue?.lowercased() ?? ""] = entry.value.stringValue
        }
        replies.withLock { [answer] in $0[url] = .success(answer) }
    }

    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? { nil }
    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? { nil }

    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        calls.withLock { $0.append(call) }
        let bare = String(call.url.prefix { $0 != "?" })
        return replies.withLock { $0[call.url] ?? $0[bare] }
            ?? .failure(
                DeliveryFault(
                    WebAccess.noReply,
                    "the test has no answer of \(SafeText.line(bare)): http.reply(\"\(SafeText.line(bare))\", { json = ... })"
                ))
    }
}
