import TextFormats

/// The search for a case that breaks a promise.
final class Search {
    let promise: Promise
    private let confirm: (JSONObject, JSONObject?) -> Bool
    var paths = 0
    var isExhausted = false
    /// How long it may still be looked for.
    var left: Duration
    private var refuted: (JSONObject, beside: JSONObject?)?
    private var unsettled: Unsettled?

    /// How many cases of one way are put to the desk: where something is not reckoned exactly, the first need not be one that
    /// goes this way.
    private static let attempts = 6

    init(_ promise: Promise, left: Duration, confirm: @escaping (JSONObject, JSONObject?) -> Bool) {
        (self.promise, self.left, self.confirm) = (promise, left, confirm)
    }

    var isOpen: Bool { refuted == nil && !isExhausted }

    /// Whether it asks the due time of each loan that may be made.
    var asksDueTimes: Bool { [.builtIn(.raisesNothing), .builtIn(.answers), .builtIn(.amounts)].contains(promise) }

    var proof: Proof {
        let found = refuted.map { ProofOutcome.refuted($0, beside: $1) }
        return Proof(outcome: found ?? unsettled.map { .unknown($0) } ?? .proved, paths: paths)
    }

    func note(_ why: Unsettled) { unsettled = unsettled ?? why }

    /// Puts cases that go the way at hand to the desk.
    func look(for model: CaseModel) throws {
        var tried: [Assignment] = []
        while tried.count < Self.attempts, let values = try model.path.assignment(but: tried) {
            tried.append(values)
            guard let json = model.json(values) else { continue }
            let beside = model.beside?(json, values)
            guard confirm(json, beside) else { continue }
            refuted = (json, beside)
            return
        }
        var why = model.path.approximation ?? Unsettled(file: "policy.lua", line: 1, message: "")
        if why.message.isEmpty { why.message = "a case that the desk does not confirm" }
        note(why)
    }
}

extension [Search] {
    /// Those that are looked for together: of what every policy promises some ask the due time of each way.
    var lookingTogether: [[Search]] {
        let open = filter(\.isOpen)
        let together = open.filter(\.asksDueTimes)
        return (together.isEmpty ? [] : [together]) + open.filter { !$0.asksDueTimes }.map { [$0] }
    }

    /// Those still looked for whose promise is broken.
    func broken(on path: Path, _ isBroken: (Search) throws -> Bool) throws -> [Search] {
        try filter(\.isOpen).filter { search in try [search].settling(on: path) { try isBroken(search) } ?? false }
    }

    /// What `body` comes to; nil, and noted of each, where a proof cannot follow it.
    func settling<Result>(on path: Path, _ body: () throws -> Result) throws -> Result? {
        let why: Unsettled
        do {
            return try body()
        } catch let unsettled as Unsettled {
            why = unsettled
        } catch let raised as Raised {
            why = raised.unsettled
        }
        if try path.isPossible() { forEach { $0.note(why) } }
        return nil
    }
}
