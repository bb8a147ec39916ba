import Circulation
import Desk
import Synchronization
import Testing

/// Has three records to speak of in a sweep, keeps a patron where it is told to, and writes down what it is asked.
private final class Witness: DeskExtension {
    private let kept: Int64?
    private let written = Mutex<[String]>([])

    var calls: [String] { written.withLock { $0 } }

    init(keeping kept: Int64? = nil) { self.kept = kept }

    private func note(_ call: String) { written.withLock { $0.append(call) } }

    func checkRemovable(_ patron: Int64, in session: DeskSession) throws {
        note("check \(patron)")
        if patron == kept { throw Refused("kept", "There is something left.") }
    }

    func forget(_ patron: Patron, in session: DeskSession) throws {
        note("forget \(try session.patrons.get(.id(patron.id))?.username ?? "nobody")")
    }

    func announce(after id: Int64, limit: Int64, in session: DeskSession) throws -> Int64? {
        note("after \(id)")
        return id + limit < 3 ? id + limit : nil
    }
}

@Suite("What is built on the desk", .everyStore)
struct DeskExtensionTests {
    private func desk(_ library: Library, _ extensions: [any DeskExtension]) -> Desk {
        Desk(
            store: library.store, policies: library.loader, clock: library.clock, actor: .desk, extensions: extensions
        ).acting(as: .desk).keepingRankings(seconds: 60)
    }

    @Test("may refuse the removal of a patron, and is told of one that goes while they are there")
    func removal() throws {
        let library = try Library()
        let (first, second) = (Witness(), Witness(keeping: 2))
        let desk = desk(library, [first, second])
        let refused = try desk.write { try $0.patrons.remove(.username("bob")) }
        #expect(refused.refusal?.code == "kept")
        #expect(try library.desk.read { try $0.patrons.get(.username("bob")) } != nil)
        _ = try desk.write { try $0.moved(to: $0.now).patrons.remove(.username("ada")) }.get()
        #expect(first.calls == ["check 2", "check 1", "forget ada"])
        #expect(second.calls == first.calls)
        try library.expectSound()
    }

    @Test("is called by a sweep, page by page until it has no more")
    func sweep() throws {
        let library = try Library()
        let witness = Witness()
        let desk = desk(library, [witness])
        _ = try desk.sweep(pageSize: 1)
        #expect(witness.calls == ["after 0", "after 1", "after 2"])
        _ = try desk.write { try $0.notices.sweep() }
        #expect(witness.calls.count == 4)
    }

    @Test("is not needed: a desk without it lends, sweeps and removes")
    func none() throws {
        let library = try Library()
        let desk = desk(library, [])
        #expect(try desk.sweep().hasNoPolicy == false)
        #expect(try desk.write { try $0.patrons.remove(.username("ada")) }.value == 1)
    }
}
