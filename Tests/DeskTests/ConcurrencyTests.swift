import Circulation
import Desk
import Dispatch
import Storage
import Synchronization
import Testing

@Suite("Many at once")
struct ConcurrencyTests {
    /// Runs the body so many times at once, each on a thread of its own.
    private func atOnce(_ count: Int, _ body: @Sendable @escaping (Int) throws -> Bool) -> (yes: Int, failed: [String])
    {
        let yes = Atomic<Int>(0)
        let failed = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            do {
                if try body(index) { yes.add(1, ordering: .relaxed) }
            } catch {
                failed.withLock { $0.append("\(error)") }
            }
        }
        return (yes.load(ordering: .relaxed), failed.withLock { $0 })
    }

    @Test("the last copy asked for by twenty goes to one", arguments: StoreKind.allCases)
    func lastCopy(kind: StoreKind) throws {
        let folder = try ScratchFolder()
        let library = try Library(store: kind.store(in: folder))
        let patrons = try library.desk.write { session in
            try (0..<20).map { try session.patrons.add(Library.patron("reader\($0)")).get().id }
        }
        let desk = library.desk
        let result = atOnce(20) { index in
            try desk.write { session in
                try session.loans.checkout(CheckoutRequest(patron: .id(patrons[index]), wanted: .titles([.id(2)])))
            }.value != nil
        }
        #expect(result.failed.isEmpty)
        #expect(result.yes == 1)
        #expect(try library.refusals().filter { $0.refusal.code == "no_copies" }.count == 19)
        try library.expectSound()
        try library.store.close()
    }

    @Test("a debt that twenty pay at once is paid once, and given back once", arguments: StoreKind.allCases)
    func payment(kind: StoreKind) throws {
        let folder = try ScratchFolder()
        let library = try Library(store: kind.store(in: folder))
        let ada = PatronKey.username("ada")
        let price = Money(minorUnits: 500, currency: .eur)
        _ = try library.desk.write { try $0.fees.charge(ada, amount: price, label: "Card").get() }
        let desk = library.desk
        let paid = atOnce(20) { _ in try desk.write { try $0.fees.pay(ada, amount: price) }.value != nil }
        #expect(paid.failed.isEmpty && paid.yes == 1)
        let refunded = atOnce(20) { _ in try desk.write { try $0.fees.refund(ada, amount: price) }.value != nil }
        #expect(refunded.failed.isEmpty && refunded.yes == 1)
        let codes = try library.refusals().map(\.refusal.code)
        #expect(codes.count { $0 == "more_than_owed" } == 19 && codes.count { $0 == "more_than_paid" } == 19)
        #expect(try library.desk.read { try $0.fees.ledger(of: ada) }.count == 4)
        try library.expectSound()
        try library.store.close()
    }

    @Test(
        "forty self-checkouts at once by one patron with a limit of five give five loans", arguments: StoreKind.allCases
    )
    func limit(kind: StoreKind) throws {
        let folder = try ScratchFolder()
        let library = try Library(store: kind.store(in: folder))
        let ada = try library.id("ada")
        try library.desk.write { session in
            for number in 0..<40 {
                let title = try session.catalogue.add(Title(title: "Volume \(number)")).get()
                _ = try session.catalogue.addCopies(of: .id(title.id)).get()
            }
        }
        let desk = library.desk.acting(as: Actor(name: "patron:\(ada)", role: .patron, channel: .self))
        let result = atOnce(40) { index in
            try desk.write { session in
                try session.loans.checkout(
                    CheckoutRequest(patron: .id(ada), wanted: .titles([.id(Int64(index + 4))])))
            }.value != nil
        }
        #expect(result.failed.isEmpty)
        #expect(result.yes == 5)
        #expect(try library.desk.read { try $0.loans.active(of: .id(ada)) }.count == 5)
        try library.expectSound()
        try library.store.close()
    }
}
