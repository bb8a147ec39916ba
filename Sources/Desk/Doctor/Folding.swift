import Circulation
import Storage

/// Applies all events of a store to an empty one.
struct Folding {
    let tables: Transaction
    let folded: Transaction

    private let anchors: [EventChain.Link]

    init(from tables: Transaction, to folded: Transaction, anchors: [EventChain.Link] = []) {
        self.anchors = anchors
        self.tables = tables
        self.folded = folded
    }

    func run(into report: inout DoctorReport, limit: Int) throws {
        var broken = 0
        var chain = ChainCheck(events: tables.events, anchors: anchors)
        try tables.events.forEachSealed { sealed in
            let record = sealed.event
            report.broken += try chain.check(sealed, limit: limit)
            do {
                let body = try Event(record).body()
                // One that cannot be applied must not leave half of itself.
                guard try folded.savepoint({ try body.applied(to: folded) }) != nil else {
                    throw DeskError.event("It says nothing that was not there already.")
                }
                if let failed = body[.policyFailed] { report.failures.append(failure(record, failed)) }
            } catch {
                broken += 1
                if broken <= limit { report.broken.append(Self.broken(record, error)) }
            }
            return true
        }
        report.broken += chain.missingAnchors()
        report.head = chain.end
    }

    private func failure(_ record: EventRecord, _ failed: FailedDecision) -> DoctorReport.Failure {
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
