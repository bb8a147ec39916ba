import Circulation
import Storage
import TextFormats

// The cases that the decision log has are held against those made of the events.
extension RecordedReplay {
    /// The stored case is not trusted: what the events tell otherwise is reported, and the events are believed.
    ///
    /// - Parameter recorded: what was read of it before.
    /// - Returns: false if it cannot be read, which is reported.
    func check(_ record: DecisionRecord, _ recorded: Case, _ told: Case) throws -> Bool {
        var told = told
        if recorded.point != told.point { told.point = recorded.point }
        if isWritten(told, in: record.caseJSON) { return true }
        do {
            let fields = CaseComparison.fields(try Case(recorded: record), told)
            guard !fields.isEmpty else { return true }
            let names = fields.joined(separator: ", ")
            try contradict(record.event, "The stored case is not what the events tell: \(names).")
            return true
        } catch let error as CaseError {
            try contradict(record.event, "The stored case cannot be read: \(error.message)")
        } catch let error as TextError {
            try contradict(record.event, "The stored case cannot be read: \(error.message)")
        }
        return false
    }

    /// Whether a case would be written as the text is. Then nothing is left to compare, and the text is not even read.
    private func isWritten(_ told: Case, in text: String) -> Bool {
        writer.reset()
        told.write(to: &writer, withCalendar: false)
        var text = text
        return text.withUTF8 { stored in
            stored.count == writer.bytes.count && stored.elementsEqual(writer.bytes)
        }
    }
}

extension Case {
    /// A case of the decision log.
    ///
    /// - Throws: ``CaseError``; ``TextError``.
    init(recorded record: DecisionRecord) throws {
        try self.init(json: .object(try ReplayedAnswer.object(record.caseJSON)))
    }

    /// What the events do not tell of a recorded request: who asked whom for what. The rest has some value or other.
    ///
    /// - Returns: nil for a case that is to be read whole.
    /// - Throws: ``CaseError``; ``TextError``.
    init?(requestOf record: DecisionRecord) throws {
        let object = try ReplayedAnswer.object(record.caseJSON, only: Self.ofRequest)
        guard object["loan"]?.isNull ?? true, object["hold"]?.isNull ?? true else { return nil }
        try self.init(json: .object(object))
    }

    private static let ofRequest: JSONSelection = [
        "point": .whole, "branch": .whole, "branches": .whole, "currency": .whole, "actor": .whole,
        "patron": ["id": .whole, "age": .whole, "extra": .whole], "title": ["id": .whole], "copy": .whole,
        "loan": .whole, "request": .whole, "hold": .whole,
    ]
}
