import Circulation
import Desk
import Storage
import TextFormats

extension ImportRun {
    /// How many likely duplicates of a file are reported each by itself; of more there is the number.
    static let reportedDuplicates = 1_000

    /// Reports who is likely the same person as a patron whom the record in hand has added.
    func added(_ patron: Patron, in session: DeskSession) throws {
        try keepPlace(.patron, patron.id)
        let others = try session.patrons.likelyDuplicates(of: patron)
        guard let (other, why) = try others.first(where: { try isCompared(.patron, $0.patron.id) }) else { return }
        let name = other.surname.isEmpty ? other.name : "\(other.surname), \(other.name)"
        let place = try place(.patron, other.id)
        note(
            "likely the same person as '\(other.username)' (\(name)) \(words(place)): \(why.words)", why,
            ["username": .string(other.username), "id": .integer(other.id)], place)
    }

    /// Reports what is likely the same title as one that the record in hand has added.
    func added(_ title: Title, in session: DeskSession) throws {
        try keepPlace(.title, title.id)
        let others = try session.catalogue.likelyDuplicates(of: title)
        guard let (other, why) = try others.first(where: { try isCompared(.title, $0.title.id) }) else { return }
        let place = try place(.title, other.id)
        note("likely the same title as \(Self.name(other)) \(words(place)): \(why.words)", why, Self.key(other), place)
    }

    /// Reports a title that is known already where the record in hand calls it otherwise, or says what another row of the file says.
    func known(_ present: Title, again given: ImportedTitle) throws {
        guard !given.mergesLists else { return }
        if given.title.isbn != nil {
            let (one, other) = (TextFolding.folded(given.title.title), TextFolding.folded(present.title))
            guard !one.hasPrefix(other), !other.hasPrefix(one) else { return }
            let place = try place(.title, present.id)
            note(
                "'\(given.title.title)' has the ISBN of \(Self.name(present)) \(words(place)), which is now called so",
                .sameISBN, Self.key(present), place)
        } else if given.title.id == 0, given.copies == 0, given.barcodes.isEmpty, given.marc == nil,
            let place = try place(.title, present.id), place != line
        {
            note(
                "the same title as \(Self.name(present)) \(words(place)): they are taken as one", .sameTitleAndAuthors,
                Self.key(present), place)
        }
    }

    private func keepPlace(_ kind: Kind, _ id: Int64) throws {
        _ = try tally.first(Int64(line), of: "place:\(kind):\(id)")
    }

    /// The line of the file that added a record; nil: another file did, or it was there before.
    private func place(_ kind: Kind, _ id: Int64) throws -> Int? {
        let line = try tally.first(-1, of: "place:\(kind):\(id)")
        return line > 0 ? Int(line) : nil
    }

    /// Whether a record may be another one of the same: a whole library knows which of its own are which.
    private func isCompared(_ kind: Kind, _ id: Int64) throws -> Bool { try !joinsLibrary || place(kind, id) == nil }

    private func words(_ place: Int?) -> String { place.map { "of \(file):\($0)" } ?? "in the library" }

    private static func name(_ title: Title) -> String {
        let author = title.authors.first.map { " by \($0)" } ?? ""
        let isbn = title.isbn.map { ", \($0.digits13)" } ?? ""
        return "'\(title.title)'\(author)\(isbn)"
    }

    private static func key(_ title: Title) -> JSONObject {
        [
            "title": .string(title.title), "isbn": title.isbn.map { .string($0.digits13) } ?? .null,
            "id": .integer(title.id),
        ]
    }

    private func note(_ message: String, _ why: LikelyDuplicate, _ other: JSONObject, _ place: Int?) {
        duplicates += 1
        guard duplicates <= Self.reportedDuplicates else { return }
        var other = other
        if let place {
            other["file"] = .string(file)
            other["line"] = .integer(Int64(place))
        }
        other["why"] = .string(why.rawValue)
        warn(nil, "likely_duplicate", message, other: .object(other))
    }
}
