import Circulation
import Storage

/// The events of a store with the decisions behind them, one after another and with a look at those that follow. It
/// holds a few pages of each at a time.
struct ReplayStream {
    /// An event as it was read. Nothing of it changes any more, so that threads may share it.
    final class Item: Sendable {
        let record: EventRecord
        /// nil if it cannot be read; then `fault` says why.
        let body: EventBody?
        let fault: String?
        let decisions: [DecisionRecord]
        /// What was read of the first decision's case ahead of its turn.
        let request: RecordedCase?

        init(
            _ record: EventRecord, _ body: EventBody?, fault: String?, decisions: [DecisionRecord],
            request: RecordedCase?
        ) {
            self.record = record
            self.body = body
            self.fault = fault
            self.decisions = decisions
            self.request = request
        }

        /// Whether it may stand before the event that it belongs to.
        var goesAhead: Bool { body?[.ledgerPosted] != nil || body?[.policyFailed] != nil }
    }

    private let pages: any ReplayPages
    private var items: [Item] = []
    private var head = 0
    private var hasMore = true

    init(_ pages: any ReplayPages) {
        self.pages = pages
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
        while items.count - head <= offset, hasMore {
            guard let page = try pages.next() else {
                hasMore = false
                break
            }
            items += page
        }
        let place = head + offset
        return place < items.count ? items[place] : nil
    }

    /// Reads nothing more, whatever is left.
    func end() { pages.end() }
}

/// What was read of a case of the decision log.
final class RecordedCase: Sendable {
    let record: DecisionRecord
    let content: Case

    init(_ record: DecisionRecord, _ content: Case) {
        self.record = record
        self.content = content
    }

    var parts: (DecisionRecord, Case) { (record, content) }
}

/// Where a stream's pages come from.
protocol ReplayPages {
    /// The next page, nil after the last one.
    func next() throws -> [ReplayStream.Item]?

    /// No further page is needed.
    func end()
}
