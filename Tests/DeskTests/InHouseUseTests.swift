import Circulation
import Desk
import Testing

@Suite("Use in the house")
struct InHouseUseTests {
    private func use(_ library: Library, _ barcode: String) throws -> Outcome<InHouseUse> {
        try library.desk.write { try $0.loans.useInHouse(barcode: barcode) }
    }

    @Test("a use is counted by title, branch and day, and is not a loan")
    func counted() throws {
        let library = try Library()
        let copy = try #require(try library.copies().first)
        _ = try use(library, copy.barcode).get()
        try library.pass(days: 1)
        #expect(try use(library, copy.barcode).get().branch == "main")
        try library.desk.read { session in
            let uses = try session.statistics.loans(by: .title, measure: .inHouse)
            #expect(uses == [LoanCount(key: "2", label: "Emma", count: 2)])
            #expect(try session.statistics.loans(by: .branch, measure: .inHouse).map(\.key) == ["main"])
            #expect(try session.statistics.loans(by: .day, measure: .inHouse).map(\.count) == [1, 1])
            #expect(try session.statistics.loans(by: .genre, measure: .inHouse).map(\.count) == [2])
            #expect(try session.statistics.loans(by: .year, measure: .loans).isEmpty)
        }
        #expect(try library.status() == .available)
        try library.expectSound()
    }

    @Test("what is lent, or unknown, is not used in the house")
    func refused() throws {
        let library = try Library()
        _ = try library.lend("ada", Library.emma).get()
        let barcode = try #require(try library.copies().first).barcode
        #expect(try use(library, barcode).refusal?.code == "on_loan")
        #expect(try use(library, "nothing").refusal?.code == "unknown_copy")
        try library.expectSound()
    }

    @Test("uses stay when the title is removed")
    func removed() throws {
        let library = try Library()
        _ = try use(library, try #require(try library.copies().first).barcode).get()
        _ = try library.desk.write { try $0.catalogue.remove(.id(Library.emma)).get() }
        #expect(try library.desk.read { try $0.statistics.loans(by: .year, measure: .inHouse) }.map(\.count) == [1])
        try library.expectSound()
    }
}
