package import TextFormats

/// The value of a record's field, as every layer that keeps or shows records takes and gives it.
///
/// Each of them has one switch over it, and none over the fields of a record. A choice among words is a ``text(_:)``.
package enum FieldValue: Hashable, Sendable {
    case absent
    case integer(Int64)
    case number(Double)
    case text(String)
    case flag(Bool)
    case instant(Instant)
    case date(CivilDate)
    case money(Money)
    case isbn(ISBN)
    case period(Period)
    case texts([String])
    case integers([Int64])
    case object(JSONObject)
    case due(DueTime)
    case courses([Course])
    case actions(Set<BlockFacts.Action>)
    case priceLines([PriceLine])
    case items([Order.Item])
    indirect case digest(DigestWords)
    indirect case proposal(TitleProposal)
}

/// Which values a field has: how they are read where nothing else says it.
package enum FieldKind: Hashable, Sendable {
    case integer, number, text, flag, instant, date, money, isbn, period, texts, integers, object
    /// One of these words.
    case choice([String])
    case due, courses, actions, priceLines, digest, proposal
    /// Rows of a table of their own.
    case items

    /// Whether a value is a list of values.
    package var isList: Bool {
        switch self {
        case .texts, .integers, .courses, .actions, .priceLines, .items: true
        default: false
        }
    }

    /// The columns of a field of a name that does not name its own.
    func columns(_ name: String) -> [String] {
        switch self {
        case .money: [name, "currency"]
        case .due: [name + "_at", name + "_on", name + "_exact"]
        case .digest: [name + "_subject", name + "_body"]
        case .items: []
        default: [name]
        }
    }

    /// What each of those columns holds, in their order.
    var columnKinds: [FieldKind] {
        switch self {
        case .money: [.integer, .text]
        case .due: [.instant, .date, .flag]
        case .digest: [.text, .text]
        case .items: []
        default: [self]
        }
    }
}
