package import Circulation
package import Desk
import Storage

/// Titles that people ask the library for, and what staff decide.
package struct SuggestionService {
    let session: DeskSession

    private var transaction: Transaction { session.transaction }
    private var market: MarketService { session.market }

    package func get(_ id: Int64) throws -> Suggestion? { try transaction.suggestions.get(id) }

    /// How many suggestions and offers staff have to decide on, each counted no further than a number.
    package func reviewCount(upTo most: Int) throws -> Int {
        let (suggestions, offers) = (transaction.suggestions, transaction.listings)
        return Int(try suggestions.reviewCount(upTo: Int64(most)) + offers.reviewCount(upTo: Int64(most)))
    }

    /// Suggestions by id; none of an unknown patron.
    package func list(
        state: Suggestion.State? = nil, patron: PatronKey? = nil,
        _ part: ListPart = ListPart(limit: 100)
    ) throws -> [Suggestion] {
        var id: Int64?
        if let patron {
            guard let found = try session.patrons.get(patron) else { return [] }
            id = found.id
        }
        return try transaction.suggestions.list(state: state, patron: id, part)
    }

    /// Takes in a suggestion. The policy's `publish` may approve it at once, which puts the title into the catalogue,
    /// leave it to staff, or refuse it.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `exists` (the catalogue has a title of that ISBN, or the patron
    /// asked for it already), `policy_failed`, or as the policy says.
    ///
    /// - Throws: ``DeskError`` for a proposal that names nothing.
    package func submit(_ proposal: TitleProposal, from patron: PatronKey, note: String = "") throws
        -> Outcome<Suggestion>
    {
        try proposal.check()
        guard note.utf8.count <= 10_000 else { throw DeskError.input("note", "The note is too long.") }
        let trail = RequestTrail("suggestions.submit")
        return try session.request(trail) {
            let patron = try session.patrons.known(patron, trail)
            try market.checkSelf(patron.id)
            try checkNew(proposal, patron.id)
            let open = try transaction.suggestions.of(patron: patron.id).count { $0.state == .review }
            let facts = SuggestionFacts(
                hasISBN: proposal.isbn != nil, courses: proposal.courses, college: proposal.college,
                others: Int64(open))
            let asked = try session.publication(of: patron, title: nil, listing: nil, suggestion: facts)
            var suggestion = Suggestion(
                patron: patron.id, proposal: proposal, note: note, submittedAt: session.now,
                policy: asked.policy.isEmpty ? nil : asked.policy)
            if asked.decision.answer == .review {
                suggestion.decision = asked.decision.message.flatMap { $0.isEmpty ? nil : $0 }
            } else {
                try approve(&suggestion)
            }
            let (written, event) = try record(.submitted, suggestion)
            if !asked.policy.isEmpty { try session.log(asked, under: event) }
            return written
        }
    }

    /// Adds a suggested title to the catalogue, and writes to the patron who suggested it.
    ///
    /// Refused with `unknown_suggestion`, `not_owner` (only staff decide), `closed`.
    package func approve(_ id: Int64, message: String? = nil) throws -> Outcome<Suggestion> {
        try decide(id, "suggestions.approve", message) { try approve(&$0) }
    }

    /// Declines a suggestion, and writes to the patron who made it.
    ///
    /// Refused as ``approve(_:message:)``.
    package func reject(_ id: Int64, message: String? = nil) throws -> Outcome<Suggestion> {
        try decide(id, "suggestions.reject", message) { suggestion in
            suggestion.state = .rejected
            suggestion.decidedAt = session.now
        }
    }

    private func decide(
        _ id: Int64, _ name: String, _ message: String?, _ change: (inout Suggestion) throws -> Void
    ) throws -> Outcome<Suggestion> {
        let trail = RequestTrail(name)
        return try session.request(trail) {
            try market.checkStaff()
            guard var suggestion = try transaction.suggestions.get(id) else {
                throw Refused(Refusal.Code.unknownSuggestion, "There is no suggestion \(id).")
            }
            trail.patron = suggestion.patron
            guard suggestion.state == .review else {
                throw Refused("closed", "The suggestion \(id) is \(suggestion.state.rawValue).")
            }
            suggestion.decision = try message.map { try session.patrons.impersonal($0, about: suggestion.patron) }
            try change(&suggestion)
            let (written, _) = try record(.decided, suggestion)
            try tell(of: written)
            return written
        }
    }

    private func approve(_ suggestion: inout Suggestion) throws {
        suggestion.state = .approved
        suggestion.decidedAt = session.now
        suggestion.title = try market.settled(suggestion.proposal).id
    }

    private func checkNew(_ proposal: TitleProposal, _ patron: Int64) throws {
        if let isbn = proposal.isbn, try transaction.titles.find(isbn) != nil {
            throw Refused("exists", "The catalogue already has a title with the ISBN \(isbn.digits13).")
        }
        let wanted = TextFolding.folded(proposal.title)
        let isKnown = try transaction.suggestions.of(patron: patron).contains { other in
            guard other.state == .review else { return false }
            if let isbn = proposal.isbn, let theirs = other.proposal.isbn { return isbn == theirs }
            return TextFolding.folded(other.proposal.title) == wanted && other.proposal.authors == proposal.authors
        }
        if isKnown { throw Refused("exists", "This title has already been suggested.") }
    }

    private func tell(of suggestion: Suggestion) throws {
        guard let patron = suggestion.patron else { return }
        let facts = SuggestionFacts(
            id: suggestion.id, hasISBN: suggestion.proposal.isbn != nil, courses: suggestion.proposal.courses,
            college: suggestion.proposal.college)
        try market.announce(
            SaleAnnouncement(
                event: .suggestion, subjectKey: "suggestion:\(suggestion.id)", title: suggestion.title,
                words: SaleWords(
                    title: suggestion.proposal.title,
                    decision: suggestion.state == .approved ? "approved" : "declined", message: suggestion.decision),
                suggestion: facts), to: patron)
    }

    private func record(_ step: SuggestionChange.Step, _ suggestion: Suggestion) throws -> (Suggestion, Int64) {
        guard let (change, event) = try session.record(SuggestionChange(step, suggestion)) else {
            throw DeskError.input(nil, "The suggestion could not be saved.")
        }
        return (change.suggestion, event)
    }
}
