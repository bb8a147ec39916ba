import Circulation

/// A case as the desk makes one: a graduate with three loans asks for a book.
enum SampleCase {
    static func checkout() throws -> Case {
        let now = SampleLibrary.now
        let loans = try (1...3).map { number in
            OpenLoanFacts(
                title: Int64(number), itemTypes: ["book"], branch: "central", copyBranch: "north", channel: .desk,
                dueAt: try now.adding(hours: Int64(number) * 100))
        }
        let patron = PatronFacts(
            id: 17, category: "graduate", homeBranch: "north", language: "en", age: 24,
            expiresOn: try CivilDate(year: 2_028, month: 3, day: 31),
            feesOwed: Money(minorUnits: 120, currency: .eur), loans: loans)
        let title = TitleFacts(id: 99, genres: ["rivers"], copies: 2, available: 1)
        return Case(
            point: .checkout, now: now, zone: try Zone(named: "Europe/Berlin"), calendar: .alwaysOpen,
            branch: "central", currency: .eur, actor: .deskStaff, patron: patron, title: title,
            copy: CopyFacts(branch: "north", itemTypes: ["book"], status: .available),
            request: RequestFacts(size: 1, titles: [99], index: 1))
    }
}
