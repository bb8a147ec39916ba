/// Patrons who have something in common, a birthday or an address, as the next one of these is compared with them.
package struct LikelyPersons {
    private var people: [LikelyDuplicate.Person] = []
    private var letters: [UInt64] = []
    /// Which of them gives way to the next one, where there is no more room.
    private var oldest = 0
    private let most: Int

    /// - Parameter most: with how many one is compared: the latest.
    package init(most: Int) { self.most = most }

    /// How many are compared with the next one.
    package var count: Int { people.count }

    package mutating func add(_ person: LikelyDuplicate.Person) {
        if people.count < most {
            people.append(person)
            letters.append(person.letters)
        } else {
            people[oldest] = person
            letters[oldest] = person.letters
            oldest = (oldest + 1) % most
        }
    }

    /// Who is likely the same person, for the first of these reasons that there is; of several the one who was registered first.
    package func likeliest(
        _ person: LikelyDuplicate.Person, for reasons: [LikelyDuplicate]
    ) -> (patron: Patron, why: LikelyDuplicate)? {
        let isByAddress = reasons.contains(.sameEmail)
        var best: (rank: Int, patron: Patron)?
        for index in letters.indices where isByAddress || person.mayBeNear(letters[index]) {
            guard let why = LikelyDuplicate.of(person, people[index]), let rank = reasons.firstIndex(of: why) else {
                continue
            }
            let other = people[index].patron
            if best.map({ (rank, other.id) < ($0.rank, $0.patron.id) }) ?? true { best = (rank, other) }
        }
        return best.map { ($0.patron, reasons[$0.rank]) }
    }
}
