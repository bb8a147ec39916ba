package import Circulation
import Storage

extension LoanService {
    /// Counts a use of a copy in the house; the copy stays where and what it is. Refused with `unknown_copy`, `on_loan`.
    package func useInHouse(barcode: String) throws -> Outcome<InHouseUse> {
        let trail = RequestTrail("loans.use_in_house")
        return try session.request(trail) {
            let copy = try session.catalogue.known(barcode: barcode)
            trail.copy = copy.id
            trail.titles = [copy.title]
            guard copy.status != .onLoan else { throw Refused("on_loan", "The copy \(copy.barcode) is on loan.") }
            let branch = try CaseBuilder(session: session).branch(copy: copy, home: copy.branch)
            let use = InHouseUse(
                copy: copy.id, title: copy.title, itemType: copy.itemType, branch: branch, usedAt: session.now)
            guard let recorded = try session.record(.copyUsedInHouse, use)?.content else {
                throw DeskError.input(nil, "The use could not be recorded.")
            }
            return recorded
        }
    }
}
