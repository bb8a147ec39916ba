import Circulation
import Desk
import Storage

extension DeskSession {
    /// What the policy in force says to a listing or a suggestion; without a policy the desk's own answer, whose version
    /// is empty.
    ///
    /// - Throws: ``Refused`` where it denies or fails.
    func publication(
        of patron: Patron, title: Int64?, listing: ListingFacts?, suggestion: SuggestionFacts?
    ) throws -> AskedDecision {
        let desk = try CaseBuilder(session: self)
        let branch = try desk.branch(copy: nil, home: patron.homeBranch)
        guard let facts = try desk.patron(patron.id, at: branch) else {
            throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
        }
        var question = desk.question(
            .publish, at: branch, patron: facts, title: try title.flatMap { try desk.title($0, for: patron.id) })
        question.listing = listing
        question.suggestion = suggestion
        return try asked(question) { Decision.standardPublication(of: $0) }
    }
}
