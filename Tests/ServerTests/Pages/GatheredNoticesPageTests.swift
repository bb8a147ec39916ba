import Circulation
import Foundation
import Server
import Testing

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
        #expect(try await browser.send("/desk/notices/retry").contains("3\u{A0}notices go out"))
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
        #expect(try await browser.send(String(path)).contains("taken out of the queue"))
        #expect(try deliver { _ in .delivered }.sent == 2)
    }
}
