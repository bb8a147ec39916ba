import Circulation
import Desk
import Interchange
import Storage

/// The requests that are measured: a desk that scans one copy for one patron after the other.
struct CheckoutRequests {
    /// In an order of chance, each patron and each copy once.
    private let candidates: [CheckoutRequest]

    init(_ library: SampleLibrary) {
        var chance = SeededGenerator(seed: 7)
        let patrons = (0..<library.size.patrons).shuffled(using: &chance)
        let titles = (0..<library.size.titles).shuffled(using: &chance)
        candidates = zip(patrons, titles).map { patron, title in
            CheckoutRequest(
                patron: .username(SampleLibrary.username(patron)),
                wanted: .barcode(SampleLibrary.barcode(title * 2 + 2)))
        }
    }

    /// Copies of a ``GrownLibrary`` whose titles nobody waits for, for patrons whose loan is not due for days.
    init(grown titles: Int) {
        var chance = SeededGenerator(seed: 7)
        let patrons = (2...max(2, titles * 3 / 10)).filter { ($0 - 1) % 29 < 15 }.shuffled(using: &chance)
        let copies = (titles / 2..<titles).map { $0 * 2 + 1 }.shuffled(using: &chance)
        candidates = zip(patrons, copies).map { patron, copy in
            CheckoutRequest(
                patron: .username(SampleLibrary.username(patron)), wanted: .barcode(SampleLibrary.barcode(copy)))
        }
    }

    /// As they come, the refused ones among them.
    func any(_ count: Int) throws -> [CheckoutRequest] {
        guard candidates.count >= count else { throw BenchFailure("the sample library is too small") }
        return Array(candidates.prefix(count))
    }

    /// Only those that are allowed.
    func allowed(_ count: Int, by desk: Desk) throws -> [CheckoutRequest] {
        var allowed: [CheckoutRequest] = []
        try desk.read { session in
            for request in candidates where allowed.count < count {
                if try session.loans.mayCheckout(request).refusal == nil { allowed.append(request) }
            }
        }
        guard allowed.count == count else { throw BenchFailure("the sample library is too small") }
        return allowed
    }
}
