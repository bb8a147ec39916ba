import Circulation
import Storage

extension Desk {
    /// Fills a fresh store with its first settings: zone `Etc/UTC`, currency EUR, branch `main`, item type `book`,
    /// category `patron`. Does nothing to a store that has settings. Call it once after opening one to write.
    package func prepare() throws {
        guard try store.read({ try $0.settings.library() == nil }) else { return }
        try write { session in
            // Two processes may have found the store empty.
            guard try session.transaction.settings.library() == nil else { return }
            try session.record(.libraryChanged, .ofFreshStore)
            try session.record(.branchAdded, Branch(code: "main", name: "Main library"))
            try session.record(.itemTypeAdded, ItemType(code: "book", name: "Book"))
            try session.record(.categoryAdded, Category(code: "patron", name: "Patron"))
        }
    }

    /// Makes sure that what was removed is gone from the store's files as well: to be called after patrons were removed.
    package func eraseTraces() throws {
        try store.eraseTraces()
    }
}
