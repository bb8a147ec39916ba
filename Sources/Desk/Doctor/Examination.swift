import Circulation
import Storage

/// A store and, beside it, what its events lead to.
///
/// Nothing of the store is held for long. Each page is read in a transaction of its own, and what came to the log since is
/// folded in the same one first: so both sides of a comparison are of one moment, whatever is written between two pages.
final class Examination {
    /// How many pages of events share a transaction.
    private static let pages = 4
    /// How the checkpoint is called among the settings of what was folded.
    private static let checkpoint = "doctor.checkpoint"

    let limit: Int
    var report = DoctorReport()
    private let store: any Store
    private let fold: SQLiteStore
    private var folding: Folding
    private let lasts: Bool

    /// - Parameters:
    ///   - limit: the most findings for each table.
    ///   - checkpoint: the file in which to keep how far it is, and to go on from if there is one of this store.
    init(_ store: any Store, limit: Int, anchors: [EventChain.Link], checkpoint: String?) throws {
        self.store = store
        self.limit = limit
        lasts = checkpoint != nil
        var fold = try SQLiteStore.folding(at: checkpoint)
        let kept = try fold.read { try $0.settings.value(Self.checkpoint) }
        var reached = kept.flatMap(Self.reached)
        let end = reached?.end
        let there = try end.flatMap { end in try store.read { try $0.events.sealed(end.sequence)?.hash } }
        if let checkpoint, kept != nil, end == nil || there != end?.hash {
            // It is another store's, or something was broken: all is to be proved.
            try fold.close()
            try SQLiteStore.removeCheckpoint(checkpoint)
            fold = try SQLiteStore.folding(at: checkpoint)
            reached = nil
        }
        self.fold = fold
        folding = Folding(after: reached?.end ?? .start, anchors: anchors, limit: limit)
        guard let reached else { return }
        try store.read { tables in
            report.broken += try folding.checkAnchors(in: tables.events)
            report.failures = try reached.failures.compactMap { sequence in
                guard let record = try tables.events.get(sequence) else { return nil }
                return Folding.failure(record, try Event(record).body())
            }
        }
    }

    /// Folds all events, compares what they lead to with what is there, and says where the chain ends.
    func run() throws {
        while try step({ _, _ in }, pages: Self.pages).more {}
        report.broken += try folding.checkAnchors()
        report.head = folding.end
        try TableComparison(self).run()
        try fold.close()
    }

    /// Runs `body` with the tables and with what the events lead to, both of one moment.
    func together<Result>(_ body: (_ tables: Transaction, _ events: Transaction) throws -> Result) throws -> Result {
        try step(body, pages: .max).result
    }

    private func step<Result>(
        _ body: (_ tables: Transaction, _ events: Transaction) throws -> Result, pages: Int
    ) throws -> (result: Result, more: Bool) {
        try store.read { tables in
            try fold.write { folded in
                var (count, more) = (0, true)
                while more, count < pages {
                    more = try folding.page(of: tables, to: folded, into: &report)
                    count += 1
                }
                if count > 1 || more { try keep(in: folded) }
                return (try body(tables, folded), more)
            }
        }
    }

    /// Writes down how far it is. A log in which something is broken is not gone on from.
    private func keep(in folded: Transaction) throws {
        guard lasts else { return }
        let words = ["\(folding.end.sequence)", folding.end.hash] + report.failures.map { "\($0.event)" }
        try folded.settings.setValue(folding.isSound ? words.joined(separator: " ") : "", for: Self.checkpoint)
    }

    /// The last event that was folded, and those that tell of failures of policies.
    private static func reached(_ kept: String) -> (end: EventChain.Link, failures: [Int64])? {
        let words = kept.split(separator: " ")
        guard words.count > 1, let sequence = Int64(words[0]) else { return nil }
        let end = EventChain.Link(sequence: sequence, hash: String(words[1]))
        return (end, words.dropFirst(2).compactMap { Int64($0) })
    }
}
