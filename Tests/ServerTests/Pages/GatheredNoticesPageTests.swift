import Circulation
import Foundation
import Scripting
import Server
import Synchronization
import Testing
import TextFormats

@testable import Desk

@Suite("Notices of one mail on the desk's page")
struct GatheredNoticesPageTests {
    /// Answers as it is told to.
    private struct Sender: Delivery {
        let channels: Set<String> = ["email"]
        let timeLimit = Duration.seconds(1)
        let answer: @Sendable (Consignment) -> DeliveryOutcome

        func messagesAMinute(by channel: String) -> Int? { nil }
        func deliver(_ consignment: Consignment) -> DeliveryOutcome { answer(consignment) }
    }

    private let server: TestServer
    private let browser: PageBrowser

    /// Three notices for ann that go together.
    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.desk.write { session in
            _ = try session.settings.setLibrary(gatheredKinds: [.overdue])
            let changed = try session.patrons.update(.username("ann")) { $0.email = "ann@example.org" }
            let ann = try #require(changed.value)
            _ = try session.notices.record(
                (1...3).map { number in
                    Notice(
                        kind: "overdue", subjectKey: "test:\(number)", patron: ann.id, dueAt: nil, stage: "test",
                        channel: "email", subject: "Reminder \(number)", body: "Hello", createdAt: session.now)
                })
        }
    }

    private func deliver(_ answer: @escaping @Sendable (Consignment) -> DeliveryOutcome) throws -> DeliveryReport {
        try server.desk.deliver(by: Sender(answer: answer))
    }

    /// The rows of a part of the page, by their subjects.
    private func subjects(_ page: String, _ part: String) -> [Int] {
        let section = page.components(separatedBy: "<section").first { $0.contains("aria-labelledby=\"\(part)\"") }
        guard let section else { return [] }
        return (1...3).filter { section.contains("<td>Reminder \($0)</td>") }
    }

    @Test("notices of a mail that is tried in vain are given up one by one, and queued again they are one mail")
    func late() async throws {
        for _ in 0..<8 {
            _ = try deliver { _ in .failed(DeliveryFault("temporary", "451 later")) }
            server.clock.set(try server.clock.now().adding(hours: 8))
        }
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/notices")
        #expect(subjects(page, "failed") == [1, 2, 3] && page.contains("Temporary: 451 later"), "\(page)")
        #expect(try await browser.send("/desk/notices/retry").contains("3\u{A0}notices will go out"))
        let again = try await browser.open("/desk/notices")
        #expect(subjects(again, "failed").isEmpty && subjects(again, "waiting") == [1, 2, 3])
        let report = try deliver { _ in .delivered }
        #expect(report.sent == 3 && report.sentTogether == 3 && report.messagesOfSeveral == 1)
        #expect(try await subjects(browser.open("/desk/notices"), "waiting").isEmpty)
    }

    @Test("one that is cancelled on the page leaves the mail of the others")
    func cancelled() async throws {
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/notices")
        let path = try #require(page.firstMatch(of: /\/desk\/notices\/\d+\/cancel/)?.output)
        #expect(try await browser.send(String(path)).contains("removed from the queue"))
        #expect(try deliver { _ in .delivered }.sent == 2)
    }

    @Test("a mail that is refused for good goes out one by one, and what one notice has refused keeps no other back")
    func oneByOne() async throws {
        let refusing: @Sendable (Consignment) -> DeliveryOutcome = { consignment in
            consignment.notices.contains { $0.subject == "Reminder 2" }
                ? .failed(DeliveryFault("refused", "554 spam", isFinal: true)) : .delivered
        }
        #expect(try deliver(refusing).givenUp == 3)
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/notices")
        #expect(page.contains("One e-mail with 3\u{A0}notices") && !page.contains("May have arrived"), "\(page)")
        let path = try #require(page.firstMatch(of: /\/desk\/notices\/\d+\/retry-mail/)?.output)
        let said = try await browser.send(String(path), ["alone": "yes"])
        #expect(said.contains("3\u{A0}notices will go out"), "\(said)")
        // What comes meanwhile joins none of them.
        let report = try deliver(refusing)
        #expect(report.sent == 2 && report.givenUp == 1 && report.messagesOfSeveral == 0)
        let after = try await browser.open("/desk/notices")
        #expect(subjects(after, "failed") == [2] && !after.contains("One e-mail with"))
        let again = try #require(after.firstMatch(of: /\/desk\/notices\/\d+\/retry"/)?.output.dropLast())
        try await browser.send(String(again))
        #expect(try deliver { _ in .delivered }.sent == 1)
    }

    @Test("a mail that may have arrived says so, and is tried again as the same mail")
    func unsure() async throws {
        let tried = Mutex<[String]>([])
        let outcomes = ["timed_out", "refused"]
        for code in outcomes {
            _ = try deliver { consignment in
                tried.withLock { $0.append(consignment.identity) }
                return .failed(
                    DeliveryFault(code, "no answer", isFinal: code == "refused", mayHaveArrived: code == "timed_out"))
            }
            server.clock.set(try server.clock.now().adding(hours: 8))
        }
        let first = tried.withLock { $0 }
        #expect(Set(first).count == 1 && first.count == 2)
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/notices")
        #expect(page.components(separatedBy: "<span class=\"tag\">May have arrived</span>").count == 4, "\(page)")
        let outbox = try await server.ask(.get, "/outbox?failed=true", as: "staff")
        let items = outbox.json["items"]?.arrayValue ?? []
        #expect(items.count == 3 && items.allSatisfy { $0["may_have_arrived"] == true }, "\(outbox.text)")
        #expect(items.allSatisfy { $0["mail"] == .string(first[0]) && $0["words"] == "no answer" })
        // One of them takes the others of its mail along.
        let id = try #require(items.first?["id"]?.integerValue)
        #expect(try await server.ask(.post, "/notifications/\(id)/retry", [:], as: "staff").status == 200)
        let report = try deliver { consignment in
            tried.withLock { $0.append(consignment.identity) }
            return .delivered
        }
        #expect(report.sent == 3 && report.messagesOfSeveral == 1)
        #expect(tried.withLock { $0 } == first + [first[0]])
    }

    @Test("patrons try nothing again")
    func patrons() async throws {
        _ = try deliver { _ in .failed(DeliveryFault("refused", "no", isFinal: true)) }
        let id = try #require(try server.desk.read { try $0.notices.failed(limit: 1) }.first?.notice.id)
        let asked = try await server.ask(.post, "/notifications/\(id)/retry", ["alone": true], as: "ann")
        #expect(asked.status == 403)
    }
}
