import Circulation
import Desk
import Storage
import Testing

@Suite("What policies see of holds")
struct HoldFactTests {
    @Test("holds for the copy that is lent are distinguished from holds on its title")
    func forCopy() throws {
        let library = try Library()
        let loan = try #require(try library.lend("ada", 3).get().first)
        let copies = try library.desk.read { try $0.catalogue.copies(of: .id(3)) }
        let lent = try #require(copies.first { $0.id == loan.copy })
        let ada = try library.id("ada")
        func facts() throws -> (Int64, Int64) {
            try library.store.read { transaction in
                let title = try #require(
                    try transaction.facts.title(
                        3, askedBy: ada, copy: lent.id, today: CivilDate(parsing: "2026-03-02")))
                return (title.holdsWaiting, title.holdsForCopy)
            }
        }
        #expect(try facts() == (0, 0))
        _ = try library.desk.write {
            try $0.holds.place(HoldRequest(patron: .username("bob"), wanted: .title(.id(3)))).get()
        }
        #expect(try facts() == (1, 0))
        _ = try library.desk.write {
            try $0.holds.place(HoldRequest(patron: .username("cyd"), wanted: .copy(lent.barcode))).get()
        }
        #expect(try facts() == (2, 1))
    }
}
