import Circulation
import Desk
import TextFormats

/// Facts about the order of those who wait for a title.
enum QueueFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.text == "list" || operation.begins("move", "cancel", "reorder")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let queue = try Queue(reading)
        switch reading.operation {
        case let operation where operation.begins("move"): try queue.move()
        case let operation where operation.begins("cancel"): try queue.cancel()
        case let operation where operation.begins("reorder"): try queue.reorder()
        default: try queue.list()
        }
    }
}

/// A title whose only copy is lent, and those who wait for it, by name.
private struct Queue {
    let reading: FactReading
    let plan: FactPlan
    let library: FactLibrary
    let title: FactTitle
    private var names: [String] = []
    private var holds: [Int64] = []

    init(_ reading: FactReading) throws {
        self.reading = reading
        plan = reading.plan()
        let entries = try Self.entries(reading)
        let hasPage = entries.first?.isPage ?? false
        (library, title) = try plan.openLibrary()
        try plan.readLoanTerms()
        try plan.beginOperation(library, title)
        if !hasPage {
            try library.addPatron("borrower")
            _ = try library.lend(title.barcodes.first ?? "", to: "borrower")
        }
        for (index, entry) in entries.enumerated() {
            library.travel(to: try plan.now.adding(minutes: Int64(index)))
            let patron = "waits-\(index + 1)"
            try library.addPatron(patron)
            let hold = try library.placeHold(.title(.id(title.id)), by: patron).done("a hold")
            names.append(entry.name)
            holds.append(hold.hold.id)
            // A page is for a copy that is there: it is taken from the shelf and set aside.
            if entry.isPage { _ = try library.scan(title.barcodes.first ?? "").done("the page") }
        }
    }

    private static func entries(_ reading: FactReading) throws -> [(name: String, isPage: Bool)] {
        if let count = try reading.given.count("holds_placed_in_order") ?? reading.given.count("queue_size") {
            guard (1...100).contains(count) else { throw NotExpressed("the queue is too long, or empty") }
            return (1...Int(count)).map { ("\($0)", false) }
        }
        if reading.given.object["queue"]?.arrayValue?.first?.objectValue != nil {
            let parts = try reading.given.parts("queue") ?? []
            let sorted = try parts.sorted { try ($0.number("position") ?? 0) < ($1.number("position") ?? 0) }
            return try sorted.enumerated().map { index, part in
                let kind = try part.text("type") ?? "hold"
                guard kind == "hold" || kind == "recall" || (kind == "page" && index == 0) else {
                    throw part.unreadable("type")
                }
                return (try part.text("name") ?? "\(index + 1)", kind == "page")
            }
        }
        if let names = try reading.given.texts("queue") { return names.map { ($0, false) } }
        return (1...6).map { ("\($0)", false) }
    }

    private func current() throws -> [(name: String, position: Int64)] {
        let queue = try library.desk.read { try $0.holds.queue(of: .id(title.id)) }
        return queue.compactMap { queued in
            guard let index = holds.firstIndex(of: queued.hold.id), let position = queued.position else { return nil }
            return (names[index], position)
        }.sorted { $0.1 < $1.1 }
    }

    private func position(of name: String) throws -> JSON {
        try current().first { $0.name == name }.map { .integer($0.position) } ?? .null
    }

    func list() throws {
        let queue = try current()
        reading.answer("priorities", found: .array(queue.map { .integer($0.position) }))
        reading.answer("queue", found: .array(queue.map { .string($0.name) }))
        reading.answer("count", number: Int64(queue.count))
    }

    // MARK: Moving

    func move() throws {
        let words = try reading.given.text("moved") ?? "first in queue"
        let order = ["first", "second", "third", "fourth", "fifth", "sixth"]
        var index = names.firstIndex(of: words)
        if words.hasSuffix(" in queue"), let ordinal = words.split(separator: " ").first.map(String.init) {
            index = ordinal == "last" ? names.count - 1 : order.firstIndex(of: ordinal)
        }
        guard let index, names.indices.contains(index) else { throw reading.given.unreadable("moved") }
        let present = Int64(index + 1)
        let target: Int64
        switch reading.operation.text {
        case "move to top", "move to the top": target = 1
        case "move to bottom", "move to the bottom": target = Int64(names.count)
        case "move up": target = max(1, present - 1)
        case "move down": target = min(Int64(names.count), present + 1)
        case let text where text.hasPrefix("move to position "):
            guard let position = NumberWords.last(in: text) else { throw NotExpressed("where to is not known") }
            target = position
        default: throw NotExpressed("how \"\(reading.operation.original)\" moves a hold is not known")
        }
        let outcome = try place(holds[index], at: target)
        reading.answer("allowed", flag: outcome.refusal == nil)
        reading.answer("priority", found: try position(of: names[index]))
        reading.answer("queue", found: .array(try current().map { .string($0.name) }))
    }

    private func place(_ hold: Int64, at position: Int64) throws -> Outcome<QueuedHold> {
        guard position >= 1 else { return .refused(Refusal(code: "position", message: "The first place is 1.")) }
        let outcome = try library.desk.write { try $0.holds.move(hold, to: position) }
        return try library.noted("the hold \(hold) is moved to place \(position)", outcome) {
            "place \($0.position ?? 0)"
        }
    }

    func cancel() throws {
        for step in reading.operation.steps {
            guard let name = step.split(separator: " ").last.map(String.init), let index = names.firstIndex(of: name)
            else { throw NotExpressed("nobody in the queue is meant by \"\(step)\"") }
            let outcome = try library.desk.write { try $0.holds.cancel(holds[index]) }
            _ = try library.noted("the hold of \(name) is cancelled", outcome).done("the cancellation")
        }
        for name in names { reading.answer("priority_of_\(name)", found: try position(of: name)) }
        reading.answer("queue", found: .array(try current().map { .string($0.name) }))
        reading.answer("priorities", found: .array(try current().map { .integer($0.position) }))
    }

    /// Positions one after the other, as the desk moves holds.
    func reorder() throws {
        if reading.operation.names("page") {
            let outcome = try place(holds[0], at: 2)
            reading.answer("allowed", flag: outcome.refusal == nil)
            let isKept = outcome.refusal?.code == "not_waiting"
            return reading.answer(
                "reason", word: isKept ? ["Page requests can not be displaced from position 1."] : [],
                own: outcome.refusal?.message ?? "moved")
        }
        let positions = reading.operation.original.split { !$0.isNumber }.compactMap { Int64($0) }
        guard positions.count == holds.count else {
            throw NotExpressed("the positions are not as many as those who wait")
        }
        // The hold that is to be first is moved first, so that each then stands where it is to stand.
        var isAllowed = true
        for (hold, position) in zip(holds, positions).sorted(by: { $0.1 < $1.1 }) {
            let outcome = try place(hold, at: position)
            isAllowed = isAllowed && outcome.refusal == nil
        }
        reading.answer("allowed", flag: isAllowed)
        reading.answer("reason", found: .string(isAllowed ? "a place beyond the last is the last" : "refused"))
        reading.answer("queue", found: .array(try current().map { .string($0.name) }))
    }
}
