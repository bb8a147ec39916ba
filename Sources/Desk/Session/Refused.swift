package import Circulation

/// Thrown inside a request to undo what it did so far and answer with no. It never leaves the desk.
package struct Refused: Error {
    /// The refusal as it is written down; its message may be a template.
    package var refusal: Refusal
    /// The refusal as the caller reads it, if the two differ.
    package var filled: Refusal?
    /// The decision that said no, for the decision log.
    var asked: AskedDecision?
    /// Why the policy failed, where it did.
    var failed: FailedDecision?

    package init(_ refusal: Refusal) {
        self.refusal = refusal
    }

    package init(_ code: String, _ message: String) {
        refusal = Refusal(code: code, message: message)
    }
}

/// What a request turned out to be about, for the event of its refusal.
package final class RequestTrail {
    package let name: String
    /// Whom it is about; of several, the last that was named.
    package var patron: Int64? { didSet { if let patron { patrons.insert(patron) } } }
    /// All of whom it turned out to be about.
    private(set) var patrons: Set<Int64> = []
    /// Those of them whose role was looked at.
    var ranked: Set<Int64> = []
    package var titles: [Int64] = []
    var copy: Int64?
    var loan: Int64?
    /// What a policy was asked on the way, for explanations.
    var asked: [AskedDecision] = []

    /// - Parameter name: as the table of roles calls the request.
    package init(_ name: String, patron: Int64? = nil, copy: Int64? = nil, loan: Int64? = nil) {
        self.name = name
        self.patron = patron
        patrons = patron.map { [$0] } ?? []
        self.copy = copy
        self.loan = loan
    }

    func refused(_ refusal: Refusal) -> RefusedRequest {
        RefusedRequest(request: name, patron: patron, titles: titles, copy: copy, loan: loan, refusal: refusal)
    }
}
