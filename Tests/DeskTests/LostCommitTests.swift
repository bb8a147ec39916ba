import Circulation
import Desk
import Storage
import Synchronization
import Testing

@Suite("Lost commits")
struct LostCommitTests {
    private struct Broken: Error {}

    /// A store that undoes what was done and says that the commit failed, as those are told together who share one.
    private final class LosingStore: Store {
        private struct Lost: Error {}

        private let store: any Store
        private let loss: StoreError
        private let isLosing = Mutex(false)

        init(_ store: any Store) throws {
            self.store = store
            let closed = try SQLiteStore.memory()
            try closed.close()
            loss = try #require(throws: StoreError.self) { try closed.write { _ in } }
        }

        func loseNext() { isLosing.withLock { $0 = true } }

        var location: StoreLocation { store.location }
        var isReadOnly: Bool { false }

        func write<T>(_ sharing: CommitSharing, _ body: (Transaction) throws -> T) throws -> T {
            let loses = isLosing.withLock { isLosing in
                defer { isLosing = false }
                return isLosing
            }
            guard loses else { return try store.write(sharing, body) }
            try? store.write(sharing) { transaction in
                _ = try body(transaction)
                throw Lost()
            }
            throw loss
        }

        func read<T>(_ body: (Transaction) throws -> T) throws -> T { try store.read(body) }

        func ask(_ question: SQLQuery, goesOn: @escaping () -> Bool) throws -> SQLResult {
            try store.ask(question, goesOn: goesOn)
        }
        func eraseTraces() throws { try store.eraseTraces() }
        func close() throws { try store.close() }
    }

    @Test("a refusal that a lost commit undid is not written down, since nobody was told of it")
    func refusal() throws {
        let store = try LosingStore(SQLiteStore.memory())
        let library = try Library(store: store)
        let desk = library.desk.sharingCommits()
        func refuse() throws {
            try desk.write { session in
                // There is one already.
                #expect(try session.settings.addBranch(Branch(code: "north", name: "North")).refusal != nil)
                throw Broken()
            }
        }
        func refusals() throws -> Int {
            try desk.read { try $0.events.list(EventQuery(kind: "request.refused")).count }
        }
        #expect(throws: Broken.self) { try refuse() }
        #expect(try refusals() == 1)
        store.loseNext()
        #expect(throws: StoreError.self) { try refuse() }
        #expect(try refusals() == 1)
        #expect(try desk.examine().isSound)
    }
}
