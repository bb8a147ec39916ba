import Circulation
import Desk
import Foundation
import Storage
import TextFormats

/// A neutral fact in its library: what is given is brought about, then its steps are done and compared one by one.
final class Scenario {
    let fact: SchemaFact
    let given: SchemaValues
    let policy: FactPolicy
    let zone: Zone
    let library: FactLibrary
    /// The moment of the first step.
    let start: Instant
    var copies: [(name: String, barcode: String, title: Int64)] = []
    var titles: [String: Int64] = [:]
    /// The last loan of each copy, by barcode.
    var loans: [String: Int64] = [:]
    /// Holds with the patron and the title that they are for.
    var holds: [(patron: String, title: Int64, id: Int64)] = []
    let firstPatron: String
    private let folder: URL?

    /// The moment of facts that say nothing about time: a Wednesday, in the middle of the day.
    static let noon = Instant(seconds: 1_779_278_400)

    init(_ fact: SchemaFact) throws {
        self.fact = fact
        given = SchemaValues(fact.given)
        policy = FactPolicy(given)
        zone = given.text("zone").flatMap { Zone(identifier: $0) } ?? .utc
        firstPatron = given.records("patrons").first?.text("name") ?? FactLibrary.reader
        let calendar = try ScenarioCalendar.calendar(given.record("calendar"))
        start = try Self.start(given, zone, calendar)
        folder = try Self.folder(fact)
        let store = try folder.map { try SQLiteStore.open(.file($0.appending(path: "desk.db").path), create: true) }
        library = try FactLibrary(
            zone: zone, calendar: calendar, at: start.adding(hours: -24 * 12_000), store: store)
        try bringAbout(calendar)
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// Requests at the same time need a store in a file.
    private static func folder(_ fact: SchemaFact) throws -> URL? {
        guard fact.steps.contains(where: { $0.operation == "checkout_at_once" }) else { return nil }
        let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// `now`, which may be counted from the first loan where that has moments of its own.
    private static func start(_ given: SchemaValues, _ zone: Zone, _ calendar: OpeningCalendar) throws -> Instant {
        guard let text = given.text("now").flatMap({ MomentText($0) }) else { return noon }
        var words = MomentWords(zone: zone, calendar: calendar, now: noon)
        let loan = given.records("loans").first
        if case .due = text.base { words.due = try loan?.text("due").flatMap { try dueMoment($0, words) } }
        if case .loan = text.base {
            words.lent = try loan?.text("lent").flatMap { try MomentText($0)?.moment(words).instant }
        }
        let moment = try text.moment(words)
        return moment.isDate ? try moment.instant.adding(hours: 12) : moment.instant
    }

    private static func dueMoment(_ text: String, _ words: MomentWords) throws -> Instant? {
        guard let moment = try MomentText(text)?.moment(words) else { return nil }
        return moment.isDate ? try endOfDay(moment.date, words.zone) : moment.instant
    }

    static func endOfDay(_ date: CivilDate, _ zone: Zone) throws -> Instant {
        try zone.startOfDay(date.adding(days: 1)).adding(seconds: -1)
    }

    // MARK: Moments

    /// - Parameter copy: whose loan `loan` and `due` are about; nil: the first copy's.
    func words(_ copy: String? = nil) throws -> MomentWords {
        var words = MomentWords(zone: zone, calendar: try calendar(FactLibrary.branch), now: start)
        let barcode = copy ?? copies.first?.barcode
        if let loan = try barcode.flatMap({ loans[$0] }).flatMap({ id in
            try library.desk.read { try $0.loans.get(.id(id)) }
        }) {
            words.lent = loan.lentAt
            words.due = loan.due?.instant
        }
        return words
    }

    func moment(_ values: SchemaValues, _ name: String, of copy: String? = nil) throws -> Moment? {
        guard let text = values.text(name), let moment = MomentText(text) else { return nil }
        return try moment.moment(words(copy))
    }

    /// Noon of a date, or the moment itself.
    func instant(_ values: SchemaValues, _ name: String, of copy: String? = nil) throws -> Instant? {
        guard let moment = try moment(values, name, of: copy) else { return nil }
        return moment.isDate ? try moment.instant.adding(hours: 12) : moment.instant
    }

    func calendar(_ branch: String) throws -> OpeningCalendar {
        guard let branch = try library.desk.read({ try $0.settings.branch(branch) }) else {
            throw NotExpressed("there is no branch \(branch)")
        }
        return branch.calendar
    }

    // MARK: Names

    func barcode(_ name: String?) throws -> String {
        guard let name else {
            guard let first = copies.first else { throw NotExpressed("there is no copy") }
            return first.barcode
        }
        guard let copy = copies.first(where: { $0.name == name }) else {
            throw NotExpressed("there is no copy \(name)")
        }
        return copy.barcode
    }

    func title(_ name: String?) throws -> Int64 {
        guard let name else {
            guard let first = copies.first else { throw NotExpressed("there is no title") }
            return first.title
        }
        guard let title = titles[name] else { throw NotExpressed("there is no title \(name)") }
        return title
    }

    func loan(_ barcode: String) throws -> Loan? {
        try loans[barcode].flatMap { id in try library.desk.read { try $0.loans.get(.id(id)) } }
    }

    func knownLoan(_ barcode: String) throws -> Loan {
        guard let loan = try loan(barcode) else { throw NotExpressed("\(barcode) is not on loan") }
        return loan
    }

    // MARK: Running

    /// Does all steps.
    ///
    /// - Returns: what was expected and found.
    func run() throws -> [FactAnswer] {
        var answers: [FactAnswer] = []
        for (index, step) in fact.steps.enumerated() {
            let isLast = index == fact.steps.count - 1
            let outcome = try StepOutcome(step, self)
            for (object, prefix) in [(step.expect, "steps[\(index + 1)]."), (isLast ? fact.expect : [:], "")] {
                for entry in object.entries {
                    let found = try outcome.found(entry.key, entry.value)
                    answers.append(FactAnswer(field: prefix + entry.key, expected: entry.value, found: found))
                }
            }
        }
        return answers
    }
}
