package import Circulation
import Desk
import TextFormats

/// What readers said of titles, as a file describes it: all that needs no looking up, with the id that it had, and the
/// names of the rest.
package enum ImportedReaderRecord: Hashable, Sendable {
    case rating(Rating, ImportedNames)
    case list(TitleList, username: String)
    /// The list is the `username`'s of that name.
    case listedTitle(ListedTitle, ImportedNames, list: String)
}

/// Puts ratings and lists into the store.
struct ReaderApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

    func apply(_ imported: ImportedReaderRecord) throws -> ImportChange {
        switch imported {
        case .rating(var rating, let names):
            rating.patron = try patron(names.username)
            rating.title = try title(names)
            return try session.imports.rating(rating).change(field: "stars").change
        case .list(var list, let username):
            list.patron = try patron(username)
            return try session.imports.titleList(list).change(field: "name").change
        case .listedTitle(var listed, let names, let name):
            let owner = try patron(names.username)
            guard let list = try session.imports.titleList(called: name, of: owner) else {
                throw RefusedRecord(
                    field: "list", code: "unknown_list", message: "the patron has no list called '\(name)'")
            }
            listed.list = list.id
            listed.title = try title(names)
            return try session.imports.listedTitle(listed).change(field: "list").change
        }
    }

    private func title(_ names: ImportedNames) throws -> Int64 {
        guard let id = try TitleApplier(session: session, settings: settings, run: run).id(of: names.work) else {
            throw RefusedRecord(field: "title", code: "missing", message: "the record names no title")
        }
        return id
    }

    private func patron(_ username: String?) throws -> Int64 {
        guard let username, let patron = try session.patrons.get(.username(username)) else {
            throw RefusedRecord(
                field: "username", code: "unknown_patron", message: "no patron is called '\(username ?? "")'")
        }
        return patron.id
    }
}
