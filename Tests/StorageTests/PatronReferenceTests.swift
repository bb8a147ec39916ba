import Circulation
import Testing

@testable import Storage

@Suite("What refers to a patron")
struct PatronReferenceTests {
    @Test("each column that refers to patrons is said to go over when two records become one, or to go with the record")
    func classified() {
        let named =
            PatronBelonging.allCases.map(\.column) + PatronBelonging.notMoved
            + [PatronBelonging.onTheWay]
        #expect(Set(named).count == named.count)
        #expect(Set(named) == Set(Schema.references(to: "patrons")))
    }
}
