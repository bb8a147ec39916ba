import Circulation
import Desk
import Interchange
import TestSupport
import Testing

@Suite("Tables of copies that say what their titles are")
struct TitledCopyTests {
    private static let rows = """
        title,isbn,authors,year,publisher,barcode,branch,item_type
        Dune,9780441013593,Frank Herbert,1965,Ace,W-1,main,book
        Dune,9780441013593,Frank Herbert,1965,Ace,W-2,north,book
        Emma,9780141439587,Jane Austen,1815,Penguin,W-3,main,book
        Local songs,,Ann Other,1911,,W-4,main,book
        Local songs,,Ann Other,1911,,W-5,main,book
        Bad,9780000000001,Some One,1999,,W-6,main,book
        ,,Some One,1999,,W-7,main,book
        Persuasion,9780141439686,Jane Austen,1817,Penguin,W-1,main,book

        """

    @Test(
        "a row for each copy makes titles and copies; a second run adds nothing, and what is wrong is named by its line"
    )
    func rows() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("shelf.csv", Self.rows))
        #expect(report.added == 5 && report.rejected == 3, "\(report.problems)")
        #expect(Set(report.problems.map(\.line)) == [7, 8, 9], "\(report.problems)")
        try bench.desk.read { session in
            let dune = try #require(try session.catalogue.get(.isbn(ISBN("9780441013593"))))
            #expect(dune.title == "Dune" && dune.year == 1965 && dune.publisher == "Ace")
            #expect(try session.catalogue.copies(of: .id(dune.id)).map(\.barcode).sorted() == ["W-1", "W-2"])
            let songs = try session.catalogue.search(CatalogueQuery(words: "local songs"))
            #expect(songs.count == 1 && songs.first?.isbn == nil)
            #expect(try session.catalogue.copies(of: .id(try #require(songs.first?.id))).count == 2)
        }
        #expect(report.declared == [UndescribedCode(.branch, "north")])
        let again = try bench.importing(bench.file("again.csv", Self.rows))
        #expect(again.added == 0 && again.unchanged == 5 && again.declared.isEmpty, "\(again.problems)")
    }

    @Test("a title that the catalogue has stays what it is, and one that is not named is still missing")
    func present() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("t.csv", "title,isbn,authors\nDune: the novel,9780441013593,F. Herbert\n"))
        let report = try bench.importing(
            bench.file("c.csv", "title,isbn,barcode\nDUNE,9780441013593,W-1\n,9780141439587,W-2\n"))
        #expect(report.added == 1 && report.rejected == 1, "\(report.problems)")
        #expect(try bench.desk.read { try $0.catalogue.get(.isbn(ISBN("9780441013593"))) }?.title == "Dune: the novel")
    }

    @Test("patrons who are addressed by a title and have a barcode are patrons")
    func patrons() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("p.csv", "barcode,title,username,name\n1001,Dr,ada,Ada\n"))
        #expect(try bench.desk.read { try $0.patrons.get(.username("ada")) }?.name == "Ada", "\(report.problems)")
    }
}
