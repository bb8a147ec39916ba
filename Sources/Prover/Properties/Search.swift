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
    private var raising: [JSONObject] = []
    /// What is said where the desk bears out none of the cases, and nothing was taken more widely than it is.
    private let unconfirmed: Unsettled

    /// How many cases of one way are put to the desk: where something is not reckoned exactly, the first need not be one that
    /// goes this way.
    private static let attempts = 6

    /// - Parameters:
    ///   - file: the policy's.
    ///   - confirm: whether the desk itself breaks the promise in a case, or in two.
    init(
        _ promise: Promise, of file: String, left: Duration, confirm: @escaping (JSONObject, JSONObject?) -> Bool
    ) {
        (self.promise, self.left, self.confirm) = (promise, left, confirm)
        let place = if case .declared(let property) = promise { (property.file, property.line) } else { (file, 1) }
        unconfirmed = Unsettled(
            file: place.0, line: place.1, message: "a case that the desk does not confirm")
    }

    var isOpen: Bool { refuted == nil && !isExhausted }

    /// Whether it asks the due time of each loan that may be made.
    var asksDueTimes: Bool { [.builtIn(.raisesNothing), .builtIn(.answers), .builtIn(.amounts)].contains(promise) }

    var proof: Proof {
        let found = refuted.map { ProofOutcome.refuted($0, beside: $1) }
        var proof = Proof(outcome: found ?? unsettled.map { .unknown($0) } ?? .proved, paths: paths)
        proof.raising = raising
        return proof
    }

    func note(_ why: Unsettled) { unsettled = unsettled ?? why }

    /// Notes a case of the way at hand, on which the promise itself raises an error.
    func noteRaising(_ model: CaseModel) throws {
        guard unsettled == nil || !raising.isEmpty, raising.count < Self.attempts else { return }
        if let values = try model.path.assignment(), let json = model.json(values) { raising.append(json) }
    }

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
        note(model.path.approximation ?? unconfirmed)
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
