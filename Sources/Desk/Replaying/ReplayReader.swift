import Circulation
import Storage

/// Reads events and decisions, a page of each at a time. The transaction is used by one thread at a time: the one that asks
/// for pages.
final class ReplayReader: ReplayPages {
    private let tables: Transaction
    /// What is read of the case of an event, for those that will be asked about.
    private let reading: (DecisionRecord, EventRecord, EventBody) -> Case?
    private var lastEvent: Int64 = 0
    private var hasMoreEvents = true
    private var decisions: [DecisionRecord] = []
    private var decisionHead = 0
    private var lastDecision: Int64 = 0
    private var hasMoreDecisions = true

    private static let pageSize: Int64 = 500

    init(
        _ tables: Transaction,
        reading: @escaping (DecisionRecord, EventRecord, EventBody) -> Case? = { _, _, _ in nil }
    ) {
        self.tables = tables
        self.reading = reading
    }

    func next() throws -> [ReplayStream.Item]? {
        guard hasMoreEvents else { return nil }
        let page = try tables.events.page(after: lastEvent, limit: Self.pageSize)
        hasMoreEvents = Int64(page.count) == Self.pageSize
        lastEvent = page.last?.sequence ?? lastEvent
        return try page.map(item)
    }

    func end() {}

    private func item(_ record: EventRecord) throws -> ReplayStream.Item {
        var body: EventBody?
        var fault: String?
        do {
            body = try Event(record).body()
        } catch let error as DeskError {
            fault = error.message
        }
        let decisions = try decisions(of: record.sequence)
        var request: RecordedCase?
        if let body, let first = decisions.first, let content = reading(first, record, body) {
            request = RecordedCase(first, content)
        }
        return ReplayStream.Item(record, body, fault: fault, decisions: decisions, request: request)
    }

    private func decisions(of event: Int64) throws -> [DecisionRecord] {
        var found: [DecisionRecord] = []
        while let decision = try nextDecision(), decision.event <= event {
            if decision.event == event { found.append(decision) }
            decisionHead += 1
        }
        return found
    }

    private func nextDecision() throws -> DecisionRecord? {
        if decisionHead >= decisions.count, hasMoreDecisions {
            decisions = try tables.decisions.page(after: lastDecision, limit: Self.pageSize)
            decisionHead = 0
            hasMoreDecisions = Int64(decisions.count) == Self.pageSize
            lastDecision = decisions.last?.id ?? lastDecision
        }
        return decisionHead < decisions.count ? decisions[decisionHead] : nil
    }
}
