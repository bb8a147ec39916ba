import Circulation
import Storage
import TextFormats

extension RecordedDecision {
    init(_ record: DecisionRecord, of event: EventRecord) throws {
        guard let point = DecisionPoint(rawValue: record.point) else {
            throw DeskError.event("Event \(event.sequence) has a decision at an unknown point.")
        }
        do {
            self.init(
                event: event.sequence, at: event.at, kind: event.kind, point: point, policy: record.policy ?? "",
                question: try JSONParser.parse(record.caseJSON), answer: try JSONParser.parse(record.decisionJSON))
        } catch {
            throw DeskError.event("The decision of event \(event.sequence) cannot be read: \(error.message)")
        }
    }
}
