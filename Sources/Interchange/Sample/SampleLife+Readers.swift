import Circulation
import Desk
import Market

/// What readers say of titles, and which ones they ask for.
extension SampleLife {
    /// Most like what they finish, and half of them write nothing.
    mutating func rate(_ patron: Int64, _ title: Int64, _ session: DeskSession) throws {
        let stars: Int64 = [5, 5, 5, 4, 4, 4, 4, 3, 3, 2, 1].randomElement(using: &random) ?? 4
        let reviews = habits.reviews.filter { $0.stars == stars }
        let words = chance(of: 0.5) ? reviews.randomElement(using: &random)?.text ?? "" : ""
        _ = try session.asPatron(patron) {
            try session.ratings.rate(.id(title), stars: stars, review: words, by: .id(patron))
        }
    }

    mutating func beginList(_ index: Int, on day: CivilDate, _ session: DeskSession) throws {
        let planned = habits.lists[index]
        guard let reader = reader(fondOf: planned.genre) else { return }
        let made = try session.asPatron(reader.id) {
            try session.lists.make(planned.name, isPublic: true, for: .id(reader.id))
        }
        guard case .done(let list) = made else { return }
        for step in 0..<Int64.random(in: 5...9, using: &random) {
            let day = try day.adding(days: step < 3 ? 0 : step * 6)
            plan(.addToList(list.id, patron: reader.id, genre: planned.genre), on: day, from: 18, to: 23)
        }
    }

    mutating func add(to list: Int64, of patron: Int64, _ genre: String, _ session: DeskSession) throws {
        guard let title = title(ofAny: [genre]) else { return }
        _ = try session.asPatron(patron) { try session.lists.add(.id(title), to: list, of: .id(patron)) }
    }

    mutating func suggest(_ index: Int, on day: CivilDate, _ session: DeskSession) throws {
        let wanted = habits.suggestions[index]
        guard let reader = readers.randomElement(using: &random) else { return }
        let proposal = TitleProposal(
            isbn: try? ISBN(wanted.isbn), title: wanted.title, authors: [wanted.author])
        let asked = try session.asPatron(reader.id) {
            try session.suggestions.submit(proposal, from: .id(reader.id), note: wanted.note)
        }
        guard case .done(let suggestion) = asked, suggestion.state == .review else { return }
        let days = Int64(Int.random(in: 2...20, using: &random))
        plan(.decide(suggestion: suggestion.id), on: try day.adding(days: days), from: 9, to: 12)
    }

    mutating func decide(_ suggestion: Int64, on day: CivilDate, _ session: DeskSession) throws {
        guard chance(of: 0.75) else {
            _ = try session.suggestions.reject(suggestion, message: "Another library of the county has it.")
            return
        }
        guard case .done(let approved) = try session.suggestions.approve(suggestion), let title = approved.title,
            let branch = readers.first(where: { $0.id == approved.patron })?.home
        else { return }
        plan(.buyCopy(title: title, branch: branch), on: try day.adding(days: 14), from: 9, to: 12)
    }
}
