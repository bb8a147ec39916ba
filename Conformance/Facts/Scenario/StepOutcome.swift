import Circulation
import Desk
import TextFormats

/// What a step came to.
final class StepOutcome {
    let scenario: Scenario
    let values: SchemaValues
    let operation: String
    /// Who it is about.
    let patron: String
    /// Barcode of the copy that it is about; nil: there is none.
    let barcode: String?
    var refusal: Refusal?
    /// The loan before the step, where there was one.
    var before: Loan?
    /// The loan as a renewal would leave it that the sweep has not made yet.
    var promised: Loan?
    var checkin: Checkin?
    var hold: Int64?
    var notices: [Notice] = []
    /// Results that the operation has at once.
    var answers: [String: JSON] = [:]
    /// Moments among them.
    var moments: [String: Instant] = [:]
    /// Lines of the account, where they are not those that stand now.
    var lines: [LedgerEntry]?

    var library: FactLibrary { scenario.library }

    init(_ step: SchemaFact.Step, _ scenario: Scenario) throws {
        self.scenario = scenario
        values = step.values
        operation = step.operation
        patron = values.text("patron") ?? scenario.firstPatron
        barcode = values.has("copy") || !scenario.copies.isEmpty ? try scenario.barcode(values.text("copy")) : nil
        if let at = try scenario.instant(values, "at", of: barcode) { library.travel(to: at) }
        try scenario.addPatron(patron)
        before = try loan()
        let told = Set(try allNotices().map(\.id))
        let times = values.count("times") ?? 1
        guard (1...200).contains(times) else { throw NotExpressed("a step is done 1 to 200 times") }
        for _ in 0..<(operation == "checkout_at_once" ? 1 : times) {
            refusal = nil
            try perform()
        }
        notices = try allNotices().filter { !told.contains($0.id) }
    }

    // MARK: What stands

    func loan() throws -> Loan? { try barcode.flatMap { try scenario.loan($0) } }

    func knownBarcode() throws -> String { try scenario.barcode(values.text("copy")) }

    func knownLoan() throws -> Loan { try scenario.knownLoan(knownBarcode()) }

    func lastNotice() throws -> Notice? { try allNotices().last }

    private func allNotices() throws -> [Notice] { try library.desk.read { try $0.notices.list(NoticeQuery()) } }

    /// Keeps what an operation came to.
    @discardableResult
    func kept<Value>(
        _ words: String, _ outcome: Outcome<Value>, _ result: (Value) -> String = { _ in "done" }
    ) throws -> Value? {
        try library.noted(words, outcome, result)
        refusal = outcome.refusal
        return outcome.value
    }

    func desk(_ values: SchemaValues) -> Desk {
        let channel = values.text("channel").flatMap { ActorFacts.Channel(rawValue: $0) } ?? .desk
        return library.desk(channel: channel, branch: values.text("branch"))
    }

    /// The hold of the patron on the title of the step.
    func knownHold() throws -> Int64 {
        let title = try values.text("title").map { try scenario.title($0) }
        let own = scenario.holds.filter { $0.patron == patron && (title == nil || $0.title == title) }
        guard let hold = own.last else { throw NotExpressed("\(patron) has no such hold") }
        return hold.id
    }

    /// A hold to look at: the one of the step, the patron's, or else the last.
    func someHold() throws -> Hold? {
        let id = hold ?? scenario.holds.last { $0.patron == patron }?.id ?? scenario.holds.last?.id
        return try id.flatMap { id in try library.desk.read { try $0.holds.get(id)?.hold } }
    }
}
