package import Circulation
import Storage
import TextFormats

// The names by which members see each other.
extension PatronService {
    /// The patron whom others see under a name, in any case where that is one alone. An e-mail address, and the username of
    /// one who chose another name, find none.
    package func member(named name: String) throws -> Patron? {
        let likes = try transaction.patrons.ids(usernamesLike: name)
        let exact = try Patron.id(ofNeutralName: name) ?? transaction.patrons.id(username: name)
        let candidates =
            try [transaction.patrons.id(displayNameLike: name), exact].compactMap(\.self)
            + (likes.count == 1 ? likes : [])
        for id in candidates {
            if let found = try get(.id(id)), Username.folded(found.publicName) == Username.folded(name) { return found }
        }
        return nil
    }

    /// Checks a name that a patron is to be seen by.
    ///
    /// - Throws: ``DeskError`` for what no name may have in it; ``Refused`` with `reserved_name` for what reads as the library
    ///   itself, `exists` for what reads as another patron.
    func check(displayName name: String, of patron: Int64?) throws {
        if let problem = DisplayName.problem(of: name) { throw DeskError.input("display_name", problem) }
        let library = try session.settings.library()
        guard !ActorName.isReserved(name), !DisplayName.reads(name, asOneOf: library.reservedNames),
            DisplayName.key(name) != DisplayName.key(library.name)
        else {
            throw Refused(
                Refusal(
                    code: "reserved_name",
                    message: "That name could be mistaken for the library's. Please choose another one.",
                    figures: ["field": "display_name"]))
        }
        guard try transaction.patrons.id(displayNameLike: name).map({ $0 == patron }) ?? true,
            try transaction.patrons.ids(usernamesLike: name).allSatisfy({ $0 == patron })
        else {
            throw Refused(
                Refusal(
                    code: "exists", message: "Another member already uses this name. Please choose another one.",
                    figures: ["field": "display_name"]))
        }
    }
}
