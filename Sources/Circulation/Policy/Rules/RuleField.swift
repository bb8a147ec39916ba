/// A field that a rule row may set; the built-in ones, each with its group, type and default.
package struct RuleField: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case boolean, integer, text, choice, period, money, moneyOrReplacementPrice, date, dateOrPeriod, dueTime
        case fineSteps
    }

    package var name: String
    package var group: RuleGroup
    package var kind: Kind
    /// For `choice`, the words allowed.
    package var choices: [String]
    /// What holds where no row sets the field; nil: nothing.
    package var standard: RuleValue?
    /// What it takes beyond what its kind does, or does not take.
    var traits: Set<Trait>
    /// The fields of its group without which it has no effect.
    package var need: Need?
    /// One sentence for help and documentation.
    package var summary: String

    /// Fields of which a row has to set one for others of the group to have an effect.
    package struct Need: Hashable, Sendable {
        package var fields: [String]
        /// What holds for what the row matches where it sets none of them.
        package var otherwise: String

        init(_ fields: String..., otherwise: String) {
            self.fields = fields
            self.otherwise = otherwise
        }
    }

    /// What a field takes beyond what its kind does, or does not take.
    enum Trait: Hashable, Sendable {
        /// `unlimited` has a meaning there; it has for every number.
        case endless
        /// A period that is counted off against others: never empty.
        case notEmpty
        /// A period of days or longer units, no hours.
        case days
    }

    init(
        _ name: String, _ group: RuleGroup, _ kind: Kind, with traits: Set<Trait> = [], standard: RuleValue? = nil,
        needs need: Need? = nil, _ summary: String
    ) {
        self.name = name
        self.group = group
        self.kind = kind
        self.choices = []
        self.traits = traits
        self.standard = standard
        self.need = need
        self.summary = summary
    }

    /// A field that is one of the words of an enumeration.
    init<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ group: RuleGroup, _ standard: Choice, needs need: Need? = nil, _ summary: String
    ) {
        self.init(name, group, .choice, standard: .text(standard.rawValue), needs: need, summary)
        choices = Choice.allCases.map(\.rawValue)
    }

    /// All built-in fields, in the order in which they are documented.
    package static let all: [RuleField] =
        LendingTerms.fields + PeriodTerms.fields + RenewalTerms.fields + FineTerms.fields + SuspensionTerms.fields
        + HoldTerms.fields + [SameTitleTerms.field] + LostTerms.fields + RentalTerms.fields

    /// What fields need, each need once.
    package static let needs: [Need] = all.compactMap(\.need).reduce(into: []) { needs, need in
        if needs.last != need { needs.append(need) }
    }

    /// The built-in fields by name.
    package static let named: [String: RuleField] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// Fields that are taken together from one row.
package enum RuleGroup: Hashable, Sendable {
    case lending, period, renewal, fine, suspension, hold, sameTitle, lost, rental
    /// A free field is a group of its own.
    case free(String)

    package static let builtIn: [RuleGroup] = [
        .lending, .period, .renewal, .fine, .suspension, .hold, .sameTitle, .lost, .rental,
    ]

    /// The group's name in explanations.
    package var name: String {
        switch self {
        case .lending: "lend"
        case .period: "loan"
        case .renewal: "renewals"
        case .fine: "fine"
        case .suspension: "suspension"
        case .hold: "holds"
        case .sameTitle: "same_title"
        case .lost: "lost"
        case .rental: "rental"
        case .free(let field): field
        }
    }
}
