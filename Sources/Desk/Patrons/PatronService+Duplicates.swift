package import Circulation
import Storage

extension PatronService {
    /// Of how many patrons with something in common it is looked whether they are the same person.
    private static let lookedAt: Int64 = 50

    /// How many patrons are looked at for one part.
    private static let lookedThrough = 5_000
    private static let readAtOnce = 500
    /// With how many of one birthday, and of one address, a patron is compared: those who were registered before.
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
            for patron in patrons {
                let here = DuplicatePlace(place.group.same(of: patron), patron.id)
                if here.group != place.group { group = place.group.none }
                let person = LikelyDuplicate.Person(patron)
                if let (other, why) = group.likeliest(person, for: place.group.reasons) {
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
        case .addressed: .addressed(patron.email?.lowercased() ?? "")
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
