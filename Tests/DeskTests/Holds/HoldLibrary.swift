import Circulation
import Desk
import Testing

/// What the tests of holds ask of the small library: Emma (title 2) has one copy, Dune (title 1) two.
extension Library {
    static let dune: Int64 = 1
    static let emma: Int64 = 2

    /// Fourteen days, and a shelf of six.
    static let holdTables = tables(fields: ["hold_shelf": .period(.days(6))])

    func place(_ patron: String, _ title: Int64 = Library.emma, pickup: String? = nil) throws -> Outcome<QueuedHold> {
        try desk.write { session in
            try session.holds.place(
                HoldRequest(patron: .username(patron), wanted: .title(.id(title)), pickupBranch: pickup))
        }
    }

    func hold(_ id: Int64) throws -> QueuedHold {
        try #require(try desk.read { try $0.holds.get(id) })
    }

    func queue(_ title: Int64 = Library.emma) throws -> [Int64] {
        try desk.read { try $0.holds.queue(of: .id(title)) }.map(\.hold.id)
    }

    func copies(_ title: Int64 = Library.emma) throws -> [Copy] {
        try desk.read { try $0.catalogue.copies(of: .id(title)) }
    }

    func status(_ title: Int64 = Library.emma) throws -> CopyStatus {
        try #require(try copies(title).first).status
    }

    /// Scans a copy at a branch.
    func scan(_ barcode: String, at branch: String = "main") throws -> Outcome<Checkin> {
        let actor = Actor(name: "desk", role: .staff, channel: .desk, branch: branch)
        return try desk.acting(as: actor).write { try $0.loans.checkin(.barcode(barcode)) }
    }

    func scan(_ title: Int64 = Library.emma, at branch: String = "main") throws -> Outcome<Checkin> {
        try scan(try #require(try copies(title).first).barcode, at: branch)
    }

    func cancel(_ hold: Int64) throws -> Outcome<QueuedHold> {
        try desk.write { try $0.holds.cancel(hold) }
    }

    func notices(_ patron: String, _ kind: String) throws -> [Notice] {
        let id = try id(patron)
        return try desk.read { try $0.notices.list(NoticeQuery(patron: id)) }.filter { $0.kind == kind }
    }

    /// Emma is lent to Ada, and Bob waits for it; the hold's id.
    func bobWaits(pickup: String? = nil) throws -> Int64 {
        _ = try lend("ada", Library.emma).get()
        return try place("bob", pickup: pickup).get().hold.id
    }
}
