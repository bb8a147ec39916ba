import Circulation
import Storage

/// Applies the events of a store to an empty one, page by page.
struct Folding {
    private var chain: ChainCheck
    private let limit: Int
    private var broken = 0

    /// - Parameter end: the last event that was applied.
    init(after end: EventChain.Link = .start, anchors: [EventChain.Link], limit: Int) {
        chain = ChainCheck(after: end, anchors: anchors)
        self.limit = limit
    }

    /// The last event that was applied.
    var end: EventChain.Link { chain.end }

    /// Whether nothing was found so far.
    var isSound: Bool { broken == 0 && chain.found == 0 }

    /// Applies the next events.
    ///
    /// - Returns: whether there were any.
    mutating func page(
        of tables: Transaction, to folded: Transaction, into report: inout DoctorReport
    ) throws -> Bool {
        let page = try tables.events.sealed(after: end.sequence)
        for sealed in page { report.broken += try chain.check(sealed, in: tables.events, limit: limit) }
        do {
            report.failures += try folded.savepoint { try page.compactMap { try Self.apply($0.event, to: folded) } }
        } catch {
            // One of them cannot be applied: it must not leave half of itself, and the others are.
            for sealed in page { try applyAlone(sealed.event, to: folded, &report) }
        }
        return !page.isEmpty
    }

    /// What became of the anchors, once all events were applied, or those before the first one that is to come.
    mutating func checkAnchors(in events: EventRepository? = nil) throws -> [DoctorReport.Broken] {
        try events.map { try chain.checkKnown(in: $0) } ?? chain.missingAnchors()
    }

    private mutating func applyAlone(
        _ record: EventRecord, to folded: Transaction, _ report: inout DoctorReport
    ) throws {
        do {
            let failure = try folded.savepoint { try Self.apply(record, to: folded) }
            if let failure { report.failures.append(failure) }
        } catch {
            broken += 1
            if broken <= limit { report.broken.append(Self.broken(record, error)) }
        }
    }

    /// - Returns: the failure of a policy of which it tells.
    private static func apply(_ record: EventRecord, to folded: Transaction) throws -> DoctorReport.Failure? {
        let body = try Event(record).body()
        guard try body.applied(to: folded) != nil else {
            throw DeskError.event("It says nothing that was not there already.")
        }
        return failure(record, body)
    }

    /// The failure of a policy of which an event tells.
    static func failure(_ record: EventRecord, _ body: EventBody) -> DoctorReport.Failure? {
        guard let failed = body[.policyFailed] else { return nil }
        let line = failed.failure.line.map { ":\($0)" } ?? ""
        let place = failed.failure.file.map { " (\($0)\(line))" } ?? ""
        return DoctorReport.Failure(
            event: record.sequence, at: record.at, point: failed.point.rawValue, policy: failed.policy,
            message: failed.failure.message + place)
    }

    private static func broken(_ record: EventRecord, _ error: any Error) -> DoctorReport.Broken {
        DoctorReport.Broken(
            invariant: "event", table: "events", id: "\(record.sequence)",
            message: "The event \(record.kind) cannot be applied: \(error)")
    }
}
