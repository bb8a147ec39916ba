/// The built-in fields of one row, read into types once.
final class RuleTerms: Sendable {
    let lending: LendingTerms
    let period: PeriodTerms
    let renewal: RenewalTerms
    let fine: FineTerms
    let suspension: SuspensionTerms
    let hold: HoldTerms
    let rental: RentalTerms
    let sameTitle: SameTitleTerms
    let lost: LostTerms

    /// The built-in defaults, for a group that no row sets.
    static let standard = RuleTerms(unchecked: RuleFieldReader(fields: [:]))

    /// - Throws: ``PolicyFailure`` with the code `wrong_type`, which names field, file and line.
    convenience init(_ row: RuleRow) throws {
        for (name, value) in row.fields {
            guard let complaint = RuleField.complaint(about: value, of: name) else { continue }
            let place = row.fieldPlaces[name] ?? row.place
            throw PolicyFailure(code: "wrong_type", message: complaint, file: place.file, line: place.line)
        }
        self.init(unchecked: RuleFieldReader(fields: row.fields))
    }

    private init(unchecked row: RuleFieldReader) {
        lending = LendingTerms(row)
        period = PeriodTerms(row)
        renewal = RenewalTerms(row)
        fine = FineTerms(row)
        suspension = SuspensionTerms(row)
        hold = HoldTerms(row)
        rental = RentalTerms(row)
        sameTitle = SameTitleTerms(row)
        lost = LostTerms(row)
    }
}
