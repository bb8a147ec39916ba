import Circulation
import Desk
import Storage
import Testing

@Suite("Volumes of a series", .everyStore)
struct TitleSeriesTests {
    @Test("the volumes come in their order, and words of the series find them")
    func order() throws {
        let library = try Library()
        for (name, number) in [
            ("Ninth", "vol. 9"), ("Extra", nil), ("Tenth", "X"), ("Second", "2"), ("Half", "2.5"),
        ] as [(String, String?)] {
            let title = Title(
                title: name, series: name == "Half" ? "the ARRAKIS cycle" : "The Arrakis Cycle", seriesNumber: number)
            _ = try library.desk.write { try $0.catalogue.add(title) }.get()
        }
        _ = try library.desk.write {
            try $0.catalogue.add(Title(title: "Other", series: "Arrakis", seriesNumber: "1"))
        }.get()
        func volumes(_ name: String, _ part: ListPart = ListPart(limit: 50)) throws -> [String] {
            try library.desk.read { try $0.catalogue.series(name, part).map(\.title) }
        }
        #expect(try volumes("The Arrakis Cycle.") == ["Second", "Half", "Ninth", "Tenth", "Extra"])
        #expect(try volumes("the arrakis cycle", ListPart(limit: 2, offset: 1)) == ["Half", "Ninth"])
        #expect(try volumes("").isEmpty && volumes("arrakis cycle").isEmpty)
        let found = try library.desk.read { try $0.catalogue.search(CatalogueQuery(words: "arrakis")).count }
        #expect(found == 6)
        let second = try #require(try library.desk.read { try $0.catalogue.series("The Arrakis Cycle").first })
        _ = try library.desk.write { try $0.catalogue.update(.id(second.id)) { $0.series = nil } }.get()
        #expect(try volumes("The Arrakis Cycle") == ["Half", "Ninth", "Tenth", "Extra"])
        try library.expectSound()
    }
}
