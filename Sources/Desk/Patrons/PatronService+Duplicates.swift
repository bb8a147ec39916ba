package import Circulation
import Storage

extension PatronService {
    /// Of how many patrons with something in common it is looked whether they are the same person.
    private static let lookedAt: Int64 = 50

    /// How many patrons are looked at for one part.
    private static let lookedThrough = 5_000
    private static let readAtOnce = 500
    /// With how many of one birthday, and of one address, a patron is compared letter by letter: those who were registered
    /// before. Equal names of one birthday are found however many are between them.
    fileprivate static let mostOfABirthday = 300
    fileprivate static let mostOfAnAddress = 200

    /// Who is likely registered twice, a part of all patrons at a time: those of one birthday are compared with each other, then those of
    /// one e-mail address. Each is named with one other record, the surest, and of these the oldest. Nothing is merged.
    ///
    /// - Parameters:
    ///   - place: where the part before ended; nil: the first part.
    ///   - limit: how many are found at most.
    package func duplicates(after place: DuplicatePlace? = nil, limit: Int) throws -> DuplicatesPart {
        var part = DuplicatesPart()
        var place = place ?? .first
        var group = try people(upTo: place)
        while part.lookedAt < Self.lookedThrough {
            let patrons = try patrons(behind: place)
            let namesakes = try namesakes(among: patrons, behind: place, group.count)
            for patron in patrons {
                let here = DuplicatePlace(place.group.same(of: patron), patron.id)
                if !here.group.isSame(as: place.group) { group = place.group.none }
                let person = LikelyDuplicate.Person(patron)
                let found =
                    namesakes[patron.id].map { ($0, .sameNameAndBirthDate) }
                    ?? group.likeliest(person, for: place.group.reasons)
                if let (other, why) = found {
                    part.found.append(DuplicatePatrons(patron: patron, other: other, why: why))
                }
                group.add(person)
                place = here
                part.lookedAt += 1
                if part.found.count >= limit { break }
            }
            if part.found.count >= limit { break }
            guard patrons.count < Self.readAtOnce else { continue }
            guard case .born = place.group else { return part }
            place = .firstAddress
            group = place.group.none
        }
        part.next = place
        return part
    }

    /// Of those behind more of their birthday than they are compared with, the oldest of the same name.
    ///
    /// - Parameter count: how many of the birthday at the place are compared with the next one.
    private func namesakes(
        among patrons: [Patron], behind place: DuplicatePlace, _ count: Int
    ) throws -> [Int64: Patron] {
        guard case .born = place.group else { return [:] }
        var (day, count, far) = (place.group, count, [Int64: Patron]())
        for patron in patrons {
            let born = place.group.same(of: patron)
            if !born.isSame(as: day) { (day, count) = (born, 0) }
            if count >= Self.mostOfABirthday { far[patron.id] = patron }
            count += 1
        }
        guard !far.isEmpty else { return [:] }
        let oldest = try transaction.patrons.namesakes(of: Array(far.keys)).filter { $0.key > $0.value }
        let others = Dictionary(
            try transaction.patrons.get(Set(oldest.values)).map { ($0.id, $0) }
        ) { first, _ in first }
        // What an index holds of a very long name is not all of it.
        return oldest.compactMapValues { others[$0] }.filter { id, other in
            far[id].map { LikelyDuplicate.of($0, other) == .sameNameAndBirthDate } ?? false
        }
    }

    private func patrons(behind place: DuplicatePlace) throws -> [Patron] {
        switch place.group {
        case .born(let day): try transaction.patrons.born(after: day, place.id, limit: Self.readAtOnce)
        case .addressed(let email): try transaction.patrons.addressed(after: email, place.id, limit: Self.readAtOnce)
        }
    }

    /// Those of the group at a place who were looked at.
    private func people(upTo place: DuplicatePlace) throws -> LikelyPersons {
        var group = place.group.none
        guard place.id > 0 else { return group }
        let patrons =
            switch place.group {
            case .born(let day): try transaction.patrons.born(on: day, upTo: place.id, limit: Self.mostOfABirthday)
            case .addressed(let email):
                try transaction.patrons.addressed(as: email, upTo: place.id, limit: Self.mostOfAnAddress)
            }
        for patron in patrons { group.add(LikelyDuplicate.Person(patron)) }
        return group
    }

    /// Patrons who are likely the same person as this one, and why; the surest first. Nothing is merged: ``merge(_:into:)`` does that.
    package func likelyDuplicates(of patron: Patron) throws -> [(patron: Patron, why: LikelyDuplicate)] {
        let order = LikelyDuplicate.allCases
        return try transaction.patrons.possibleDuplicates(of: patron, limit: Self.lookedAt)
            .compactMap { other in LikelyDuplicate.of(patron, other).map { (other, $0) } }
            .sorted { (order.firstIndex(of: $0.1) ?? 0, $0.0.id) < (order.firstIndex(of: $1.1) ?? 0, $1.0.id) }
    }
}

extension DuplicatePlace.Group {
    /// No one of it yet.
    fileprivate var none: LikelyPersons {
        switch self {
        case .born: LikelyPersons(most: PatronService.mostOfABirthday)
        case .addressed: LikelyPersons(most: PatronService.mostOfAnAddress)
        }
    }

    /// The group of a patron, by the same thing.
    fileprivate func same(of patron: Patron) -> Self {
        switch self {
        case .born: .born(Int64(patron.birthDate?.dayNumber ?? 0))
        case .addressed: .addressed(patron.email ?? "")
        }
    }

    /// Whether two patrons of these have it in common. Addresses are folded here as they are compared; as text they stay what
    /// they are, since each database has an order of its own.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.addressed(let one), .addressed(let another)): one.lowercased() == another.lowercased()
        default: self == other
        }
    }

    /// Why two of it may be one person. Who is found by the birthday is not named again by the address.
    fileprivate var reasons: [LikelyDuplicate] {
        switch self {
        case .born: [.sameNameAndBirthDate, .nearNameAndBirthDate]
        case .addressed: [.sameEmail]
        }
    }
}
