import Circulation
import Desk
import Dispatch
import Market
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("The market under random operations")
struct MarketPropertyTests {
    @Test(
        "stock is never lost, totals are sums, checkouts are whole, and the events tell it all", .everyStore,
        arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Library(policy: Library.taxed)
        var pieces: [Int64: Int64] = [:]
        for (index, seller) in ["ada", "bob", nil, "cyd"].enumerated() {
            let kind: Listing.Kind = index % 2 == 0 ? .sell : .rent
            let quantity = Int64.random(in: 1...4, using: &random)
            pieces[try library.offer(seller, 1, kind, price: "1.25", quantity: quantity).id] = quantity
        }
        var done = 0
        for step in 0..<60 {
            if try perform(library, &random) { done += 1 }
            try expectInvariants(library, pieces, "seed \(seed), step \(step)")
        }
        #expect(done > 10)
        try library.expectSound()
    }

    private func perform(_ library: Library, _ random: inout SplitMix) throws -> Bool {
        let patron = PatronKey.id(Int64.random(in: 1...4, using: &random))
        let listing = Int64.random(in: 1...5, using: &random)
        let id = Int64.random(in: 1...8, using: &random)
        let quantity = Int64.random(in: 1...3, using: &random)
        let ends = try CivilDate(parsing: "2026-03-\(10 + quantity)")
        let choice = Int.random(in: 0..<11, using: &random)
        return try library.desk.write { session in
            switch choice {
            case 0: return try session.market.buy(listing, quantity: quantity, patron: patron).value != nil
            case 1:
                return try session.market.rent(listing, quantity: quantity, until: ends, patron: patron).value != nil
            case 2: return try session.market.giveBack(id).value != nil
            case 3: return try session.market.cancel(order: id).value != nil
            case 4: return try session.market.handOver(id).value != nil
            case 5, 6:
                let kind: SaleKind = listing % 2 == 1 ? .buy : .rent
                let request = CartRequest(
                    patron: patron, kind: kind, listing: listing, quantity: quantity, ends: kind == .rent ? ends : nil)
                return try session.carts.add(request).value != nil
            case 7: return try session.carts.add(CartRequest(patron: patron, kind: .loan, title: .id(3))).value != nil
            case 8, 9: return try session.carts.checkout(patron).value != nil
            default:
                let state: Listing.State = quantity == 1 ? .hidden : .active
                return try session.market.update(listing, ListingUpdate(state: state)).value != nil
            }
        }
    }

    private struct Market {
        let orders: [Order]
        let rentals: [Rental]
        let listings: [Listing]
        let owed: [Int64: Int64]
    }

    private func market(of library: Library, listings: [Int64]) throws -> Market {
        try library.desk.read { session in
            var owed: [Int64: Int64] = [:]
            for patron in Int64(1)...3 { owed[patron] = try session.fees.owed(by: .id(patron)).minorUnits }
            return Market(
                orders: try session.market.orders(ListPart(limit: 1_000)),
                rentals: try session.market.rentals(isOpen: true, ListPart(limit: 1_000)),
                listings: try listings.compactMap { try session.market.get($0) }, owed: owed)
        }
    }

    private func expectInvariants(_ library: Library, _ pieces: [Int64: Int64], _ place: Comment) throws {
        let market = try market(of: library, listings: pieces.keys.sorted())
        #expect(market.listings.count == pieces.count, place)
        let standing = market.orders.filter { $0.state != .cancelled }
        for listing in market.listings {
            let sold = standing.flatMap(\.items).filter { $0.listing == listing.id && $0.kind == .buy }
                .reduce(0) { $0 + $1.quantity }
            let rented = market.rentals.filter { $0.listing == listing.id }.reduce(0) { $0 + $1.quantity }
            #expect(listing.quantity >= 0, place)
            #expect(listing.quantity + sold + rented == pieces[listing.id], place)
            #expect(listing.quantity > 0 || listing.state != .active, place)
        }
        for order in market.orders {
            let sum = try PriceLine.total(of: order.lines, in: .eur)
            #expect(sum == order.total, place)
            let own = order.items.filter { $0.seller == nil }
            let charged = try PriceLine.total(of: order.lines.filter { $0.item == nil }, in: .eur)
            #expect(charged.isZero == own.isEmpty, place)
            let owners = Set(order.lines.compactMap { $0.item.map { order.items[Int($0) - 1].seller } })
            #expect(owners == Set(order.items.map(\.seller)).subtracting([nil]), place)
        }
        for (patron, owed) in market.owed {
            let orders = try standing.filter { $0.buyer == patron }.reduce(0) { try $0 + $1.owed().minorUnits }
            #expect(owed == orders, place)
        }
    }

    @Test("the last piece asked for by forty goes to one", arguments: StoreKind.allCases)
    func lastPiece(kind: StoreKind) throws {
        let folder = try ScratchFolder()
        let library = try Library(store: kind.store(in: folder))
        let buyers = try library.desk.write { session in
            try (0..<40).map { try session.patrons.add(Library.patron("buyer\($0)")).get().id }
        }
        let listing = try library.offer("ada")
        let desk = library.desk
        let bought = Atomic<Int>(0)
        let codes = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            do {
                switch try desk.write({ try $0.market.buy(listing.id, patron: .id(buyers[index])) }) {
                case .done: bought.add(1, ordering: .relaxed)
                case .refused(let refusal): codes.withLock { $0.append(refusal.code) }
                }
            } catch {
                codes.withLock { $0.append("\(error)") }
            }
        }
        #expect(bought.load(ordering: .relaxed) == 1)
        #expect(codes.withLock { $0 } == Array(repeating: "stock", count: 39))
        let left = try library.listing(listing)
        #expect(left.quantity == 0 && left.state == .sold)
        try library.expectSound()
        try library.store.close()
    }
}
