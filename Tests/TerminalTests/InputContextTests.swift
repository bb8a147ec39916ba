import Scripting
import Testing

@testable import Terminal

@Suite("Where the cursor stands in a statement")
struct InputContextTests {
    @Test(
        "the type of what stands before a dot is known from the API, loops and variables",
        arguments: [
            ("loans.get(3).", "loan"), ("local loan = loans.get(3)\nloan.", "loan"),
            ("for loan in loans.each{ open = true } do print(loan.", "loan"),
            ("for _, title in ipairs(catalogue.search{ query = \"x\" }) do title.", "title"),
            ("catalogue.search{ query = \"a\" }[1].", "title"), ("(patrons.get \"ada\").", "patron"),
        ])
    func types(head: String, record: String) {
        guard case .member(.value(let type), "") = InputContext(head).place else {
            Issue.record("\(InputContext(head).place)")
            return
        }
        #expect(type.unwrapped == .record(record))
    }

    @Test(
        "the argument at the cursor is known, named or by its place",
        arguments: [
            ("loans.checkout{ patron = ", "patron"), ("loans.checkout{ patron = \"ada\", isbn = \"978", "isbn"),
            ("patrons.get(", "patron"), ("loans.checkout{ isbns = { \"", "isbns"),
            ("print(1, loans.active{ patron = \"", "patron"),
        ])
    func arguments(head: String, name: String) {
        let argument = InputContext(head).call?.argument?.name
        #expect(argument == name)
    }

    @Test("where the name of an event is expected, that is known")
    func events() {
        #expect(InputContext("for event in store.events{ kind = \"loan.").expected?.unwrapped == .event)
    }

    @Test("where a name of an argument can stand, those that were not given are offered")
    func missing() {
        let call = InputContext("loans.checkout{ patron = \"ada\", ").call
        #expect(call?.takesName == true)
        #expect(call?.missing.contains { $0.name == "isbn" } == true)
        #expect(call?.missing.contains { $0.name == "patron" } == false)
        #expect(InputContext("loans.checkout{ patron = ").call?.takesName == false)
    }

    @Test("a comment, a number and a text that is closed ask for nothing", arguments: ["-- loans.", "12", "'a'"])
    func nothing(head: String) {
        #expect(InputContext(head).place == .nothing)
    }

    @Test(
        "nothing that is typed upsets it",
        arguments: ["}}))", "((((", ".", "a..b.", "x[", "for in", "local = .", "]]--[["])
    func nonsense(head: String) {
        for end in head.indices { _ = InputContext(String(head[..<end])) }
        _ = InputContext(head)
    }
}
