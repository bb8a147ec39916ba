import Circulation
import Foundation
import Storage
import Testing

@testable import Desk

/// Over one store alone: the statements are the same over all.
@Suite("What the page of notices asks of the store")
struct NoticesPageCostTests {
    /// Refuses each message for good.
    private struct Refuser: Delivery {
        let channels: Set<String> = ["email"]
        let timeLimit = Duration.seconds(1)
        func messagesAMinute(by channel: String) -> Int? { nil }
        func deliver(_ consignment: Consignment) -> DeliveryOutcome {
            .failed(DeliveryFault("refused", "554 spam", isFinal: true))
        }
    }

    /// How many statements the page takes where a notice of each of these was refused, and another one waits.
    private func statements(_ names: [String]) async throws -> Int {
        let recorder = StatementRecorder()
        let folder = FileManager.default.temporaryDirectory.appending(path: "notices-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "library.db").path(percentEncoded: false)
        let store = try SQLiteStore.open(.file(path), create: true, recorder: recorder)
        defer { try? store.close() }
        let server = try TestServer(store: store)
        func notify(_ word: String) throws {
            try server.desk.write { session in
                for name in names {
                    let changed = try session.patrons.update(.username(name)) { $0.email = "\(name)@example.org" }
                    let patron = try #require(changed.value)
                    let notice = Notice(
                        kind: "overdue", subjectKey: "\(word):\(name)", patron: patron.id, dueAt: nil, stage: word,
                        channel: "email", subject: "\(word) \(name)", body: "Hello", createdAt: session.now)
                    #expect(try session.notices.record([notice]).count == 1)
                }
            }
        }
        try notify("Refused")
        #expect(try server.desk.deliver(by: Refuser()).givenUp == names.count)
        try notify("Waiting")
        let browser = PageBrowser(server)
        try await browser.logIn("staff")
        _ = recorder.take()
        let page = try await browser.open("/desk/notices")
        let asked = recorder.take()
        for name in names { #expect(page.contains("Refused \(name)") && page.contains("Waiting \(name)"), "\(page)") }
        return asked.count
    }

    @Test("patrons are asked for together, however many there are")
    func together() async throws {
        let one = try await statements(["ann"])
        let four = try await statements(["ann", "bob", "staff", "root"])
        #expect(one > 0 && four == one)
    }
}
