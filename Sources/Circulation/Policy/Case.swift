package import TextFormats

/// All that a policy may know when it is asked: plain values, no store, no clock.
///
/// Names, addresses and phone numbers are never part of a case; they reach text only through templates.
package struct Case: Hashable, Sendable {
    /// The question.
    package var point: DecisionPoint
    /// The moment of the question.
    package var now: Instant
    /// The zone in which this branch's civil dates are read.
    package var zone: Zone
    /// The opening calendar of the branch.
    package var calendar: OpeningCalendar
    /// Where it is lent - online, the copy's branch - and, after it, that branch's ancestors.
    package var branches: [String]
    /// The library's currency.
    package var currency: Currency
    package var actor: ActorFacts
    package var patron: PatronFacts
    package var title: TitleFacts?
    package var copy: CopyFacts?
    package var loan: LoanFacts?
    package var request: RequestFacts?
    package var hold: HoldFacts?
    /// What is to be published, sold or rented.
    package var listing: ListingFacts?
    package var suggestion: SuggestionFacts?
    /// What is to be paid for, at the point `price`; nil for a loan.
    package var lines: [SaleLine]?
    /// The event of the message, at the point `notify`.
    package var event: NotifyEvent?

    package init(
        point: DecisionPoint, now: Instant, zone: Zone, calendar: OpeningCalendar, branch: String,
        branches: [String]? = nil, currency: Currency,
        actor: ActorFacts, patron: PatronFacts, title: TitleFacts? = nil, copy: CopyFacts? = nil,
        loan: LoanFacts? = nil, request: RequestFacts? = nil, hold: HoldFacts? = nil, listing: ListingFacts? = nil,
        suggestion: SuggestionFacts? = nil, lines: [SaleLine]? = nil, event: NotifyEvent? = nil
    ) {
        self.point = point
        self.now = now
        self.zone = zone
        self.calendar = calendar
        self.branches = branches ?? [branch]
        self.currency = currency
        self.actor = actor
        self.patron = patron
        self.title = title
        self.copy = copy
        self.loan = loan
        self.request = request
        self.hold = hold
        self.listing = listing
        self.suggestion = suggestion
        self.lines = lines
        self.event = event
    }
}

/// Who asks, and through which channel.
package struct ActorFacts: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable, CaseIterable { case patron, staff, admin, job }
    package enum Channel: String, Hashable, Sendable, CaseIterable { case desk, `self`, web, job }
    package var role: Role
    package var channel: Channel

    package init(role: Role, channel: Channel) {
        self.role = role
        self.channel = channel
    }

    package static let deskStaff = ActorFacts(role: .staff, channel: .desk)
}

/// The patron as a policy sees one.
package struct PatronFacts: Hashable, Sendable {
    package var id: Int64
    /// The patron's category and, after it, that category's ancestors.
    package var categories: [String]
    /// The home branch and, after it, that branch's ancestors.
    package var homeBranches: [String]
    package var language: String?
    /// Whole years at the case's date; nil if the birth date is unknown.
    package var age: Int64?
    package var expiresOn: CivilDate?
    /// At `expiry`, where the end of a membership may depend on it.
    package var birthDate: CivilDate?
    package var feesOwed: Money
    /// Open loans past their due time; those claimed to be returned are not counted.
    package var overdue: Int64
    /// Open loans of copies declared lost.
    package var lost: Int64
    /// Loans, open and past, of which the patron said that the copy was returned before the library saw it.
    package var claims: Int64
    package var blocks: [BlockFacts]
    /// The end of the suspension in force, nil if none.
    package var suspendedUntil: CivilDate?
    package var loans: [OpenLoanFacts]
    /// Holds waiting or on the shelf.
    package var holds: Int64
    package var extra: JSONObject
    /// Loans that began from ``historySince`` on, the latest first; empty where the policy looks at none.
    package var history: [PastLoanFacts] = []
    /// nil: no loan was looked for.
    package var historySince: Instant?
    /// The date of the oldest charge that is not fully paid, where the policy reads it and something is owed.
    package var owedSince: CivilDate?
    /// What those to whom the patron is linked have and owe; nil: they were not looked for.
    package var linked: LinkedFacts?

    package init(
        id: Int64, category: String, categories: [String]? = nil, homeBranch: String, homeBranches: [String]? = nil,
        language: String? = nil, age: Int64? = nil,
        expiresOn: CivilDate? = nil, feesOwed: Money, overdue: Int64 = 0, lost: Int64 = 0, claims: Int64 = 0,
        blocks: [BlockFacts] = [], suspendedUntil: CivilDate? = nil, loans: [OpenLoanFacts] = [], holds: Int64 = 0,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.categories = categories ?? [category]
        self.homeBranches = homeBranches ?? [homeBranch]
        self.language = language
        self.age = age
        self.expiresOn = expiresOn
        self.feesOwed = feesOwed
        self.overdue = overdue
        self.lost = lost
        self.claims = claims
        self.blocks = blocks
        self.suspendedUntil = suspendedUntil
        self.loans = loans
        self.holds = holds
        self.extra = extra
    }
}

/// A block that staff or a rule has put on a patron.
package struct BlockFacts: Hashable, Sendable {
    /// What a block can forbid.
    package enum Action: String, Hashable, Sendable, CaseIterable {
        /// Checkouts, of a cart's lines too.
        case borrow
        /// Renewals, asked for or automatic.
        case renew
        /// Placing holds.
        case hold
        /// Putting something into the cart, and checking it out.
        case cart
        /// Publishing, buying and renting on the market.
        case market
        /// Whatever patrons do by themselves, at a machine or online; the desk may still do it for them.
        case `self`

        /// The action of a word; holds were once called `request`.
        package init?(word: String) {
            self.init(rawValue: word == "request" ? Action.hold.rawValue : word)
        }
    }

    package var kind: String
    /// The last day of the block; nil: until it is lifted.
    package var ends: CivilDate?
    package var actions: Set<Action>

    package init(kind: String, ends: CivilDate? = nil, actions: Set<Action> = Set(Action.allCases)) {
        self.kind = kind
        self.ends = ends
        self.actions = actions
    }
}

/// One of the patron's open loans, as limits count them.
package struct OpenLoanFacts: Hashable, Sendable {
    /// The title's id.
    package var title: Int64
    /// The copy's item type and, after it, that type's ancestors.
    package var itemTypes: [String]
    /// Where it was lent and, after it, that branch's ancestors.
    package var branches: [String]
    /// The copy's own branch and, after it, that branch's ancestors; empty: unknown.
    package var copyBranches: [String]
    /// Where the copy stands in its branch; nil: nowhere in particular.
    package var location: String?
    package var onSite: Bool
    package var channel: ActorFacts.Channel?
    package var dueAt: Instant?
    /// Whether the patron claims to have returned it.
    package var isClaimed: Bool

    package init(
        title: Int64, itemTypes: [String], branch: String, branches: [String]? = nil, copyBranch: String? = nil,
        copyBranches: [String]? = nil, location: String? = nil, onSite: Bool = false,
        channel: ActorFacts.Channel? = nil, dueAt: Instant? = nil, isClaimed: Bool = false
    ) {
        self.title = title
        self.itemTypes = itemTypes
        self.branches = branches ?? [branch]
        self.copyBranches = copyBranches ?? copyBranch.map { [$0] } ?? []
        self.location = location
        self.onSite = onSite
        self.channel = channel
        self.dueAt = dueAt
        self.isClaimed = isClaimed
    }
}

/// The title asked for.
package struct TitleFacts: Hashable, Sendable {
    package var id: Int64
    package var genres: [String]
    /// Course codes.
    package var courses: [String]
    package var copies: Int64
    package var available: Int64
    package var holdsWaiting: Int64
    /// How many of those wait for the copy of the loan in question alone; 0 where the question is about no loan.
    package var holdsForCopy: Int64
    package var extra: JSONObject
    /// How often anybody borrowed it from ``timesLentSince`` on; 0 where the policy does not ask.
    package var timesLent: Int64 = 0
    /// nil: loans were not counted.
    package var timesLentSince: Instant?

    package init(
        id: Int64, genres: [String] = [], courses: [String] = [], copies: Int64 = 0, available: Int64 = 0,
        holdsWaiting: Int64 = 0, holdsForCopy: Int64 = 0, extra: JSONObject = [:]
    ) {
        self.id = id
        self.genres = genres
        self.courses = courses
        self.copies = copies
        self.available = available
        self.holdsWaiting = holdsWaiting
        self.holdsForCopy = holdsForCopy
        self.extra = extra
    }
}

/// The candidate copy.
package struct CopyFacts: Hashable, Sendable {
    /// The copy's branch and, after it, that branch's ancestors.
    package var branches: [String]
    /// The copy's item type and, after it, that type's ancestors.
    package var itemTypes: [String]
    package var status: CopyStatus
    package var replacementPrice: Money?
    /// Where it stands in its branch, in a word of the library's own.
    package var location: String?
    /// The day on which the library got it.
    package var acquiredOn: CivilDate?
    /// Another patron's hold keeps this copy back.
    package var heldForOther: Bool
    package var extra: JSONObject

    package init(
        branch: String, branches: [String]? = nil, itemTypes: [String], status: CopyStatus,
        replacementPrice: Money? = nil, location: String? = nil, acquiredOn: CivilDate? = nil,
        heldForOther: Bool = false, extra: JSONObject = [:]
    ) {
        self.branches = branches ?? [branch]
        self.itemTypes = itemTypes
        self.status = status
        self.replacementPrice = replacementPrice
        self.location = location
        self.acquiredOn = acquiredOn
        self.heldForOther = heldForOther
        self.extra = extra
    }
}

/// Where a copy is.
package enum CopyStatus: String, Hashable, Sendable, CaseIterable {
    case available
    case onLoan = "on_loan"
    case onHoldShelf = "on_hold_shelf"
    case inTransit = "in_transit"
    case lost, withdrawn
}

/// The loan in question.
package struct LoanFacts: Hashable, Sendable {
    package var id: Int64
    package var lentAt: Instant
    package var dueAt: Instant
    package var originalDueAt: Instant
    package var renewals: Int64
    package var unseenRenewals: Int64
    package var recalledAt: Instant?
    /// When its copy was declared lost. At the point `lost` staff have just declared it so.
    package var lostAt: Instant?
    /// When the patron says that the copy was returned.
    package var claimedAt: Instant?
    package var onSite: Bool
    /// Notices already recorded for this due time.
    package var notices: [NoticeFacts]
    /// Of a loan that came from another system: what was to be said before this moment is said already.
    package var noticesSentUntil: Instant?

    package init(
        id: Int64, lentAt: Instant, dueAt: Instant, originalDueAt: Instant, renewals: Int64 = 0,
        unseenRenewals: Int64 = 0, recalledAt: Instant? = nil, lostAt: Instant? = nil, claimedAt: Instant? = nil,
        onSite: Bool = false, notices: [NoticeFacts] = [], noticesSentUntil: Instant? = nil
    ) {
        self.id = id
        self.lentAt = lentAt
        self.dueAt = dueAt
        self.originalDueAt = originalDueAt
        self.renewals = renewals
        self.unseenRenewals = unseenRenewals
        self.recalledAt = recalledAt
        self.lostAt = lostAt
        self.claimedAt = claimedAt
        self.onSite = onSite
        self.notices = notices
        self.noticesSentUntil = noticesSentUntil
    }
}

/// A notice that was already recorded.
package struct NoticeFacts: Hashable, Sendable {
    package var stage: String
    package var repetition: Int64
    package var at: Instant

    package init(stage: String, repetition: Int64, at: Instant) {
        self.stage = stage
        self.repetition = repetition
        self.at = at
    }
}

/// A request of one patron for one or several titles.
package struct RequestFacts: Hashable, Sendable {
    /// How many titles are asked for.
    package var size: Int64
    /// Ids of the titles, in the order asked; an unknown one is 0.
    package var titles: [Int64]
    /// Which of them is asked about, from 1; 0 at the point `request`.
    package var index: Int64
    /// What this request was granted already; limits count these like open loans.
    package var granted: [OpenLoanFacts]
    /// Whether it is asked for use on site.
    package var onSite: Bool
    /// The last day of a loan that is asked for to be shorter than the policy has it.
    package var wantedUntil: CivilDate?

    package init(
        size: Int64, titles: [Int64], index: Int64 = 0, granted: [OpenLoanFacts] = [], onSite: Bool = false,
        wantedUntil: CivilDate? = nil
    ) {
        self.size = size
        self.titles = titles
        self.index = index
        self.granted = granted
        self.onSite = onSite
        self.wantedUntil = wantedUntil
    }
}
