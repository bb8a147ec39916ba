import Circulation
import DeskSupport
import Testing

@testable import Desk

@Suite("The pace of chores")
struct ChorePaceTests {
    @Test(
        "the next page is as long as the last one suggests, within a quarter and four times as much",
        arguments: [
            (Duration.milliseconds(10), Int64(32)), (.milliseconds(5), 64), (.milliseconds(20), 16),
            (.microseconds(1), 128), (.zero, 128), (.seconds(3600), 8),
        ])
    func adapts(taken: Duration, size: Int64) {
        var pace = ChorePace()
        #expect(pace.size == 32)
        pace.adapt(to: taken)
        #expect(pace.size == size)
    }

    @Test("a page never has more than 500 records, and never none")
    func bounds() {
        var pace = ChorePace()
        for _ in 0..<10 { pace.adapt(to: .zero) }
        #expect(pace.size == 500)
        for _ in 0..<10 { pace.adapt(to: .seconds(10)) }
        #expect(pace.size == 1)
        pace.adapt(to: .zero)
        #expect(pace.size == 4)
    }

    @Test("pages of a given size keep it, however long they take", arguments: [Int64(1), 5, 1_000])
    func fixed(size: Int64) {
        var pace = ChorePace(size: size)
        for taken in [Duration.zero, .seconds(10)] {
            pace.adapt(to: taken)
            #expect(pace.size == size)
        }
        #expect(ChorePace(size: 0).size == 1)
    }

    @Test("each page is a transaction of its own, told how much to do; one that fails leaves the pace as it was")
    func pages() throws {
        struct Stop: Error {}
        let library = try Library()
        var pace = ChorePace()
        let added = try pace.page(of: library.desk) { session, size in
            for number in 0..<size { _ = try session.catalogue.add(Title(title: "Volume \(number)")).get() }
            return size
        }
        #expect(added == 32)
        let (size, titles) = (pace.size, try library.desk.read { try $0.catalogue.count(CatalogueQuery()) })
        #expect(throws: Stop.self) {
            try pace.page(of: library.desk) { session, _ in
                _ = try session.catalogue.add(Title(title: "Undone")).get()
                throw Stop()
            }
        }
        #expect(pace.size == size)
        #expect(try library.desk.read { try $0.catalogue.count(CatalogueQuery()) } == titles)
    }
}
