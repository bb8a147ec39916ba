/// What a worker was told that its request came to.
enum Effect: Hashable {
    /// The loans that were made.
    case lent([Int64])
    case returned(Int64)
    case renewed(Int64)
    case held(Int64)
    case cancelled(Int64)
    case charged(Int64)
    case paid(Int64)
    /// By the code of the refusal.
    case refused(String)
    /// There was nothing to do: no loan to return, nothing owed.
    case nothing
    /// The request had been carried out before: by a transaction whose answer never came.
    case found
}

extension Effect {
    /// As it stands in a journal: a word, and what belongs to it behind a colon.
    var text: String {
        switch self {
        case .lent(let loans): "lent:" + loans.map(String.init).joined(separator: ",")
        case .returned(let loan): "returned:\(loan)"
        case .renewed(let loan): "renewed:\(loan)"
        case .held(let hold): "held:\(hold)"
        case .cancelled(let hold): "cancelled:\(hold)"
        case .charged(let line): "charged:\(line)"
        case .paid(let line): "paid:\(line)"
        case .refused(let code): "refused:\(code)"
        case .nothing: "nothing"
        case .found: "found"
        }
    }

    /// nil for what no worker writes.
    init?(_ text: some StringProtocol) {
        let parts = String(text).split(separator: ":" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        let rest = parts.count > 1 ? parts[1] : ""
        switch (parts[0], Int64(rest)) {
        case ("lent", _):
            let loans = rest.split(separator: ",").compactMap { Int64($0) }
            guard !loans.isEmpty else { return nil }
            self = .lent(loans)
        case ("returned", let id?): self = .returned(id)
        case ("renewed", let id?): self = .renewed(id)
        case ("held", let id?): self = .held(id)
        case ("cancelled", let id?): self = .cancelled(id)
        case ("charged", let id?): self = .charged(id)
        case ("paid", let id?): self = .paid(id)
        case ("refused", _) where !rest.isEmpty: self = .refused(rest)
        case ("nothing", _): self = .nothing
        case ("found", _): self = .found
        default: return nil
        }
    }
}
