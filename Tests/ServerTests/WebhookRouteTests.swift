import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Subscriptions over HTTP")
struct WebhookRouteTests {
    @Test("an administrator subscribes, and the secret is said once")
    func subscribe() async throws {
        let server = try TestServer(servers: OpenServers())
        let made = try await server.ask(
            .post, "/webhooks", ["url": "https://a.example/in?token=hush", "events": ["loan.made"]], as: "root")
        #expect(made.status == 201 && made.json["secret"]?.stringValue?.hasPrefix("whsec_") == true, "\(made.json)")
        let list = try await server.ask(.get, "/webhooks", as: "root")
        let row = try #require(list.json["items"]?.arrayValue?.first ?? list.json.arrayValue?.first)
        #expect(row["url"] == "https://a.example:443/in" && row["events"] == ["loan.made"] && row["secret"] == nil)
        let tested = try await server.ask(.post, "/webhooks/1/test", [:], as: "root")
        #expect(tested.json["waiting"] == 1)
        let removed = try await server.ask(.delete, "/webhooks/1", as: "root")
        #expect(removed.status == 200)
    }

    @Test("others do not, nor does anybody subscribe a machine of the library's own")
    func refused() async throws {
        let server = try TestServer(servers: OpenServers())
        for name in ["ann", "staff"] {
            let answer = try await server.ask(.post, "/webhooks", ["url": "https://a.example/in"], as: name)
            #expect(answer.status == 403, "\(name)")
        }
        for body in [["url": "http://127.0.0.1/"], ["url": "https://a.example/", "events": ["loan.maed"]], [:]]
            as [JSON]
        {
            let answer = try await server.ask(.post, "/webhooks", body, as: "root")
            #expect(answer.status >= 400 && answer.status < 500, "\(answer.json)")
        }
    }
}

/// Servers that are never asked.
private struct OpenServers: RequestSender {
    let hostsOfScripts: Set<String> = []
    let timeLimit = Duration.zero
    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? {
        address.isLoopback ? "must not lead to this machine" : nil
    }
    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? { nil }
    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        .success(WebAnswer(status: 200))
    }
}
