import Circulation
import TextFormats

/// What a fact's fields come to: a policy, a library, and what has happened in it before.
///
/// Each part of the vocabulary (`FactPlan+Loans`, `FactPlan+Limits`, ...) reads the fields that it knows, whatever the
/// area, so that they go together in any way.
final class FactPlan {
    unowned let reading: FactReading
    /// The libraries in which it was tried.
    var libraries: [FactLibrary] = []
    var policy: PolicyText
    var zone: Zone = .utc
    var calendar: OpeningCalendar = .alwaysOpen
    /// The moment of the operation.
    var now: Instant
    /// Where the operation happens, where that matters.
    var branch: String?
    /// Where the copy belongs; nil: to the first branch.
    var copyBranch: String?
    var itemType = "book"
    var category = "patron"
    /// Whether the copy asked for is read in the library.
    var onSite = false
    /// How the copy asked for is priced.
    var price: Money?
    /// The loan that the operation is about, where there is one.
    var loan = PlannedLoan()
    /// The day that the return is given, where it is not the day on which it happens.
    var returnedAt: Instant?
    /// Copies of the title asked for, and what stands in their way.
    var copies = 1
    /// The due time that a renewal which nothing speaks against gets, in Lua; nil: as the rule says.
    var renewedDue: String?
    /// Standard checks of a patron that a renewal passes over.
    var despiteAtRenewal: [String] = []
    /// Lines of Lua that set `waived`, by the code of what is waived at a renewal.
    var renewalAnswers: [String] = []
    var loanIsClosed = false
    var titleExtra: JSONObject = [:]
    var patronExtra: JSONObject = [:]
    /// What must be in the settings.
    var branches: [String] = []
    var itemTypes: [(code: String, parent: String?)] = []
    var categories: [String] = []
    /// What happens before the fact's policy comes into force, under one that allows everything.
    var before: [(FactLibrary, FactTitle) throws -> Void] = []
    /// What happens under the fact's policy, right before the operation.
    var after: [(FactLibrary, FactTitle) throws -> Void] = []

    var given: FieldReading { reading.given }
    var when: FieldReading { reading.when }
    var expect: FieldReading { reading.expect }

    /// The moment of facts that say nothing about time: a Wednesday, in the middle of the day.
    static let noon = Instant(seconds: 1_779_278_400)

    init(_ reading: FactReading) {
        self.reading = reading
        policy = PolicyText(name: "fact")
        policy.description = "What \(reading.fact.id.isEmpty ? "a fact" : reading.fact.id) is given."
        now = Self.noon
    }

    var moments: MomentWords {
        MomentWords(zone: zone, calendar: calendar, now: now, due: loan.due?.instant, lent: loan.lentAt)
    }

    func moment(_ key: String, of fields: FieldReading) throws -> Moment? {
        try fields.text(key).map { try moments.moment($0) }
    }

    var today: CivilDate { zone.date(of: now) }
}

/// The loan that an operation is about.
struct PlannedLoan {
    /// nil: lent at the moment of the operation.
    var lentAt: Instant?
    /// nil: as the policy says.
    var due: Moment?
    var renewals: Int64 = 0
    var unseenRenewals: Int64 = 0
    var onSite = false
    /// Whether it begins under the fact's own policy, which then decides about its fines.
    var isUnderPolicy = false
    var isRecalled = false
}
