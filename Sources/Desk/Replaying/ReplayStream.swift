import Circulation
import Storage

/// The events of a store with the decisions behind them, one after another and with a look at those that follow. It holds
/// a page of each at a time.
struct ReplayStream {
    struct Item {
        var record: EventRecord
        /// nil if it cannot be read; then `fault` says why.
        var body: EventBody?
        var fault: String?
        var decisions: [DecisionRecord] = []
    }

    private let tables: Transaction
    private var items: [Item] = []
    private var head = 0
    private var lastEvent: Int64 = 0
    private var hasMoreEvents = true
    private var decisions: [DecisionRecord] = []
    private var decisionHead = 0
    private var lastDecision: (event: Int64, ordinal: Int64) = (.min, .min)
    private var hasMoreDecisions = true

    private static let pageSize: Int64 = 500

    init(_ tables: Transaction) {
        self.tables = tables
    }

    mutating func next() throws -> Item? {
        guard let item = try peek(0) else { return nil }
        head += 1
        if head >= 512 {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// The item so many places after the next one.
    mutating func peek(_ offset: Int) throws -> Item? {
        while items.count - head <= offset, hasMoreEvents { try readPage() }
        let place = head + offset
        return place < items.count ? items[place] : nil
    }

    private mutating func readPage() throws {
        let page = try tables.events.page(after: lastEvent, limit: Self.pageSize)
        hasMoreEvents = Int64(page.count) == Self.pageSize
        lastEvent = page.last?.sequence ?? lastEvent
        for record in page { items.append(try item(record)) }
    }

    private mutating func item(_ record: EventRecord) throws -> Item {
        var item = Item(record: record)
        do {
            item.body = try Event(record).body()
        } catch let error as DeskError {
            item.fault = error.message
        }
        while let decision = try nextDecision(), decision.event <= record.sequence {
            if decision.event == record.sequence { item.decisions.append(decision) }
            decisionHead += 1
        }
        return item
    }

    private mutating func nextDecision() throws -> DecisionRecord? {
        if decisionHead >= decisions.count, hasMoreDecisions {
            decisions = try tables.decisions.page(after: lastDecision, limit: Self.pageSize)
            decisionHead = 0
            hasMoreDecisions = Int64(decisions.count) == Self.pageSize
            if let last = decisions.last { lastDecision = (last.event, last.ordinal) }
        }
        return decisionHead < decisions.count ? decisions[decisionHead] : nil
    }
}
