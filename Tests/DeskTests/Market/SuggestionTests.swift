import Circulation
import Desk
import Market
import Testing

@Suite("Suggestions", .everyStore)
struct SuggestionTests {
    private func submit(_ library: Library, _ proposal: TitleProposal) throws -> Outcome<Suggestion> {
        try library.desk.write { try $0.suggestions.submit(proposal, from: .username("ada"), note: "For Ada") }
    }

    @Test("staff decide, the catalogue gets the title, and the patron gets a message", arguments: [true, false])
    func deciding(approves: Bool) throws {
        let library = try Library()
        let isbn = try ISBN("9780133977226")
        let suggestion = try submit(library, TitleProposal(isbn: isbn, title: "Optics", authors: ["E. Hecht"])).get()
        #expect(suggestion.state == .review)
        let ada = library.desk.acting(as: Library.actor(try library.id("ada")))
        #expect(try ada.write { try $0.suggestions.approve(suggestion.id) }.refusal?.code == "not_allowed")
        let decided = try library.desk.write { session in
            approves
                ? try session.suggestions.approve(suggestion.id, message: "Ordered.")
                : try session.suggestions.reject(suggestion.id, message: "Too dear.")
        }.get()
        #expect(decided.state == (approves ? .approved : .rejected))
        let title = try library.desk.read { try $0.catalogue.get(.isbn(isbn)) }
        #expect((title != nil) == approves && decided.title == title?.id)
        let notice = try #require(try library.notices("ada", "suggestion").first)
        #expect(notice.body.contains(approves ? "was approved. Ordered." : "was declined. Too dear."))
        #expect(try library.desk.write { try $0.suggestions.reject(suggestion.id) }.refusal?.code == "closed")
        #expect(try library.desk.read { try $0.suggestions.list(state: .review) }.isEmpty)
        try library.expectSound()
    }

    @Test("what the catalogue has, or the patron has asked for, is not suggested again")
    func known() throws {
        let library = try Library()
        let isbn = try ISBN("9780441172719")
        _ = try library.desk.write { try $0.catalogue.update(.id(1)) { $0.isbn = isbn } }.get()
        #expect(try submit(library, TitleProposal(isbn: isbn, title: "Dune")).refusal?.code == "exists")
        _ = try submit(library, TitleProposal(title: "Optics")).get()
        #expect(try submit(library, TitleProposal(title: "OPTICS")).refusal?.code == "exists")
        #expect(throws: DeskError.self) { try submit(library, TitleProposal(title: "")) }
        try library.expectSound()
    }

    @Test(
        "the policy approves at once, or refuses",
        arguments: [
            (Decision.Answer.allow, Suggestion.State.approved as Suggestion.State?), (.deny, nil), (.review, .review),
        ])
    func policies(answer: Decision.Answer, state: Suggestion.State?) throws {
        let library = try Library(policy: Library.publishing(answer))
        let outcome = try submit(library, TitleProposal(title: "Optics"))
        #expect(outcome.value?.state == state)
        #expect((outcome.value?.title != nil) == (answer == .allow))
        #expect(outcome.refusal?.code == (answer == .deny ? "too_many" : nil))
        try library.expectSound()
    }

    @Test("a removed patron's suggestion stays without them and their words")
    func removal() throws {
        let library = try Library()
        let suggestion = try submit(library, TitleProposal(title: "Optics")).get()
        _ = try library.desk.write { try $0.patrons.remove(.username("ada")) }.get()
        let left = try #require(try library.desk.read { try $0.suggestions.get(suggestion.id) })
        #expect(left.patron == nil && left.note.isEmpty && left.proposal.title == "Optics")
        try library.expectSound()
    }
}
