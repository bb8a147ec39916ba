import Circulation
import Testing
import TextFormats

@testable import Desk

@Suite("Events")
struct EventBodyTests {
    private static let now = Instant(seconds: 1_772_442_000)
    private static let price = Money(minorUnits: 1_999, currency: .eur)
    private static let loan = Loan(
        id: 5, copy: 6, title: 7, patron: 8, category: "staff", homeBranch: "main", itemType: "dvd", branch: "north",
        lentAt: now, due: DueTime(instant: now, date: .earliest, isExact: true), originalDueAt: .latest,
        returnedAt: now, renewals: 2, unseenRenewals: 1, renewedAt: now, recalledAt: now, onSite: true,
        channel: .self, policy: "abc", importKey: "row:1")
    private static let hold = Hold(
        id: 9, title: 7, copy: 6, patron: 8, pickupBranch: "north", placedAt: now, queuedAt: .latest, priority: -3,
        expiresOn: .latest, suspendedUntil: .earliest, state: .filled, heldCopy: 6, shelvedAt: now, shelfUntil: .latest,
        closedAt: now, loan: 5, channel: .web, policy: "abc", importKey: "hold:1")
    private static let listing = Listing(
        id: 3, seller: 8, title: 7, kind: .rent, price: price, period: .weeks(2), quantity: 4, condition: "as new",
        edition: "2nd", picture: "https://p", state: .hidden, createdAt: now, updatedAt: .latest, decision: "Fine.",
        proposal: TitleProposal(
            isbn: try? ISBN("9780441172719"), title: "Dune", authors: ["F"], courses: ["SF1"], college: "c"),
        policy: "abc", importKey: "listing:1")
    private static let order = Order(
        id: 4, buyer: 8, category: "staff", state: .done,
        items: [
            Order.Item(
                listing: 3, title: 7, seller: 9, kind: .rent, label: "Dune", quantity: 2, price: price, periods: 3,
                ends: .latest),
            Order.Item(listing: nil, title: nil, seller: nil, kind: .buy, label: "X", quantity: 1, price: price),
        ], lines: [PriceLine(label: "Dune", amount: price, item: 1), PriceLine(label: "X", amount: price)],
        total: price, placedAt: now, closedAt: .latest,
        channel: .web, policy: "abc", importKey: "order:1")
    private static let rental = Rental(
        id: 5, listing: 3, title: 7, lender: 9, borrower: 8, order: 4, quantity: 2, price: price, period: .months(1),
        begunAt: now, ends: .latest, endedAt: .latest, importKey: "rental:1")
    private static let suggestion = Suggestion(
        id: 6, patron: 8, proposal: TitleProposal(title: "Optics"), state: .approved, submittedAt: now,
        decidedAt: .latest, decision: "Yes.", title: 7, policy: "abc", importKey: "suggestion:1")
    private static let market: [EventBody] = [
        EventBody(.orderPlaced, order), EventBody(.orderImported, order), EventBody(.rentalBegun, rental),
        EventBody(.rentalImported, rental),
        EventBody(.orderDone, OrderChange(order: 4, buyer: 8, state: .done, closedAt: now)),
        EventBody(.orderCancelled, OrderChange(order: 4, buyer: nil, state: .cancelled, closedAt: now, reason: "why")),
        EventBody(.rentalEnded, RentalReturn(rental: 5, borrower: 8, endedAt: now)),
        EventBody(.patronLinked, PatronLink(id: 3, patron: 8, other: 9, kind: .guardian, addedAt: now)),
        EventBody(.patronUnlinked, PatronUnlinking(patron: 8, other: 9, kind: .household)),
        EventBody(.favouriteAdded, Favourite(id: 1, patron: 8, title: 7, addedAt: now)),
        EventBody(.favouriteAdded, Favourite(id: 2, patron: 8, listing: 3, addedAt: now)),
        EventBody(.favouriteRemoved, FavouriteRemoval(id: 2, patron: 8)),
        EventBody(.ratingAdded, Rating(id: 1, title: 7, patron: 8, stars: 4, ratedAt: now)),
        EventBody(.ratingChanged, Rating(id: 1, title: 7, patron: 8, stars: 2, ratedAt: now, changedAt: .latest)),
        EventBody(.reviewReported, Rating(id: 1, title: 7, patron: 8, stars: 2, state: .reported, ratedAt: now)),
        EventBody(
            .reviewHidden,
            Rating(id: 1, title: 7, patron: 8, stars: 2, state: .hidden, ratedAt: now, decision: "Tells the end")),
        EventBody(.reviewShown, Rating(id: 1, title: 7, patron: 8, stars: 2, state: .kept, ratedAt: now)),
        EventBody(.ratingRemoved, RatingRemoval(id: 1, patron: 8, title: 7)),
        EventBody(.listAdded, TitleList(id: 1, patron: 8, name: "", createdAt: now)),
        EventBody(.listChanged, TitleList(id: 1, patron: 8, name: "", isPublic: true, createdAt: now)),
        EventBody(
            .listTakenDown,
            TitleList(id: 1, patron: 8, name: "", createdAt: now, takenDownAt: now, decision: "Names others")),
        EventBody(.listRestored, TitleList(id: 1, patron: 8, name: "", createdAt: now)),
        EventBody(.titleListed, ListedTitle(id: 3, list: 1, title: 7, addedAt: now)),
        EventBody(.titleUnlisted, ListedTitle(id: 3, list: 1, title: 7, addedAt: now)),
        EventBody(.listRemoved, ListRemoval(id: 1, patron: 8)),
        EventBody(
            .conversationBegun,
            Conversation(id: 1, listing: 3, asker: 8, owner: 9, begunAt: now, askerRead: 1, importKey: "c")),
        EventBody(.messageSent, Message(id: 4, conversation: 1, number: 2, sender: 9, text: "", sentAt: now)),
        EventBody(.conversationRead, ConversationReading(conversation: 1, patron: 8, number: 2)),
        EventBody(.writerBlocked, BlockedWriter(id: 5, patron: 8, writer: 9, blockedAt: now)),
        EventBody(.writerUnblocked, WriterUnblocking(id: 5, patron: 8, writer: 9)),
        EventBody(
            .cartChanged,
            CartChange(
                patron: 8,
                lines: [
                    CartLine(
                        id: 1, patron: 8, kind: .rent, listing: 3, quantity: 2, price: price, ends: .latest,
                        addedAt: now),
                    CartLine(id: 2, patron: 8, kind: .loan, title: 7, addedAt: now),
                ], removed: [3, 4])),
    ]
    private static let refusal: Refusal = {
        var refusal = Refusal(
            reasons: [
                Refusal.Reason(
                    code: "limit", message: "Enough, {{patron.name}}.", title: 7,
                    origin: RuleOrigin(table: .limits, row: 2, field: "max", file: "p.lua", line: 12),
                    figures: ["limit": 5]),
                Refusal.Reason(code: "own", message: "No.", origin: RuleOrigin(file: "p.lua", line: 3)),
            ], isTemplate: true, mayBeOverridden: true, policy: "abc")
        refusal.message = "Other"
        return refusal
    }()
    private static let run: JobRun = {
        var run = JobRun(job: "sweep", plannedAt: now, version: "v", state: .succeeded)
        run.startedAt = now
        run.exitStatus = 0
        run.tries = 1
        return run
    }()
    private static let failed = FailedDecision(
        point: .fine, policy: "abc", failure: PolicyFailure(code: "c", message: "m", file: "f", line: 3), patron: 1,
        title: 2, copy: 3, loan: 4)

    private static let stopped: Loan = {
        var stopped = loan
        stopped.lostAt = now
        stopped.claimedAt = now
        return stopped
    }()
    private static let deskBodies: [EventBody] = [
        EventBody(.libraryChanged, LibrarySettings(name: "L", zone: .utc, currency: .eur)),
        EventBody(.branchAdded, Branch(code: "b", name: "B", zone: Zone(identifier: "Europe/Berlin"))),
        EventBody(.branchUpdated, Branch(code: "b", name: "B")), EventBody(.branchRemoved, RemovedCode("b")),
        EventBody(.categoryAdded, Category(code: "c", name: "C")),
        EventBody(.categoryUpdated, Category(code: "c", name: "D")),
        EventBody(.categoryRemoved, RemovedCode("c")),
        EventBody(.itemTypeAdded, ItemType(code: "i", name: "I", parent: "p")),
        EventBody(.itemTypeUpdated, ItemType(code: "i", name: "I")), EventBody(.itemTypeRemoved, RemovedCode("i")),
        EventBody(.locationAdded, ShelvingLocation(code: "new books", name: "N")),
        EventBody(.locationUpdated, ShelvingLocation(code: "new books", name: "O")),
        EventBody(.locationRemoved, RemovedCode("new books")),
        EventBody(
            .titleAdded,
            Title(
                id: 7, isbn: try? ISBN("9780441172719"), title: "Dune", authors: ["Frank Herbert"], publisher: "Ace",
                year: -44, language: "en", genres: ["sf"], subjects: ["sand"],
                courses: [Course(code: "SF1", name: "Worms"), Course(code: "SF2")], college: "c", edition: "1st",
                description: "d\n\"e\"", coverURL: "https://c", previewURL: "https://p", stars: 5, recommended: true,
                extra: ["shelf": "3"])),
        EventBody(.titleUpdated, Title(id: 7, title: "Dune")), EventBody(.titleRemoved, RemovedTitle(7)),
        EventBody(
            .copyAdded,
            Copy(id: 6, barcode: "x", title: 7, branch: "b", itemType: "i", status: .lost, replacementPrice: price)),
        EventBody(.copyUpdated, Copy(id: 6, barcode: "x", title: 7, branch: "b", itemType: "i")),
        EventBody(.copyWithdrawn, Copy(id: 6, barcode: "x", title: 7, branch: "b", itemType: "i", status: .withdrawn)),
        EventBody(
            .patronAdded,
            PatronChange(
                Patron(
                    id: 8, username: "patron-8", category: "c", homeBranch: "b", language: "de", expiresOn: .latest,
                    role: .admin), fields: ["name", "email"])),
        EventBody(
            .patronUpdated,
            PatronChange(Patron(id: 8, username: "patron-8", category: "c", homeBranch: "b"), fields: [])),
        EventBody(.patronRemoved, RemovedPatron(8)),
        EventBody(.patronMerged, PatronMerge(from: 8, into: 9, reason: "twice")),
        EventBody(
            .patronBlocked, PatronBlock(id: 1, patron: 8, kind: "k", actions: [.renew], createdAt: now, ends: .latest)),
        EventBody(.patronUnblocked, PatronBlock(id: 1, patron: 8, kind: "k", createdAt: now, liftedAt: now)),
        EventBody(.loanMade, loan), EventBody(.loanRenewed, LoanChange(loan: loan, previousDueAt: now)),
        EventBody(.loanDueSoon, loan), EventBody(.loanOverdue, loan), EventBody(.loanTold, loan),
        EventBody(.scheduleTick, ScheduleTick(hour: now, since: .earliest)),
        EventBody(.scheduleTick, ScheduleTick(hour: now, since: nil)), EventBody(.jobEnded, JobEnd(run)),
        EventBody(.webhookChanged, ChangedWebhook(webhook: 3, change: "paused", place: "example.org:443")),
        EventBody(
            .pluginChanged,
            ChangedPlugin(
                PluginChange(
                    plugin: "courier", action: .rolledBack, sha256: "ab", version: "1.2.0", rights: ["loans.write"],
                    settings: [:], at: now, actor: "a", note: "n"))),
        EventBody(.loanReturned, LoanReturn(loan: 5, copy: 6, patron: 8, returnedAt: now)),
        EventBody(.loanDueSet, LoanChange(loan: loan, previousDueAt: nil, reason: "why")),
        EventBody(.loanImported, Loan(id: 1, lentAt: now)),
        EventBody(.loanRenewalImported, PastRenewal(loan: 5, copy: 6, patron: 8, renewedAt: now)),
        EventBody(
            .copyUsedInHouse, InHouseUse(id: 1, copy: 2, title: 3, itemType: "dvd", branch: "north", usedAt: now)),
        EventBody(.loanLost, LoanChange(loan: stopped, previousDueAt: nil, reason: "why")),
        EventBody(.loanClaimed, LoanChange(loan: stopped, previousDueAt: nil)),
        EventBody(.loanRecalled, LoanChange(loan: loan, previousDueAt: now)), EventBody(.holdsMoved, [hold, hold]),
        EventBody(
            .hold(.placed), HoldChange(.placed, Hold(id: 1, title: 7, patron: 8, pickupBranch: "main", placedAt: now))),
        EventBody(.hold(.cancelled), HoldChange(.cancelled, hold, reason: "why")),
        EventBody(.hold(.suspended), HoldChange(.suspended, hold)),
        EventBody(.hold(.resumed), HoldChange(.resumed, hold)),
        EventBody(.hold(.pickupSet), HoldChange(.pickupSet, hold)),
        EventBody(.hold(.inTransit), HoldChange(.inTransit, hold)),
        EventBody(.hold(.shelved), HoldChange(.shelved, hold)),
        EventBody(.hold(.shelfExtended), HoldChange(.shelfExtended, hold, reason: "why")),
        EventBody(.hold(.returned), HoldChange(.returned, hold)), EventBody(.hold(.filled), HoldChange(.filled, hold)),
        EventBody(.hold(.expired), HoldChange(.expired, hold)),
        EventBody(.hold(.imported), HoldChange(.imported, hold)),
        EventBody(
            .policyOverridden,
            PolicyOverride(patron: 8, title: 7, copy: 6, loan: 5, codes: ["a"], policy: "p", reason: "r")),
        EventBody(
            .policyActivated,
            ActivatedPolicy(
                PolicyActivation(
                    id: 1, policy: "abc", name: "n", effectiveFrom: now, activatedAt: now, actor: "a", note: "o"),
                bundle: nil)),
        EventBody(
            .policyActivated,
            ActivatedPolicy(
                PolicyActivation(
                    id: 2, policy: "abc", name: "n", effectiveFrom: now, activatedAt: now, actor: "a", note: "",
                    isRetroactive: true), bundle: nil)),
        EventBody(
            .policyWithdrawn,
            PolicyActivation(
                id: 1, policy: "abc", name: "n", effectiveFrom: .latest, activatedAt: now, actor: "a", note: "o",
                withdrawnAt: now)),
        EventBody(.policyFailed, failed),
        EventBody(.decisionsPruned, DecisionPruning(before: now, count: 12)),
        EventBody(.accountChanged, AccountChange(patron: 4, change: .keyRevoked)),
        EventBody(
            .eventsCleared, EventClearing(patron: 4, events: [EventClearing.Cleared(event: 3, was: "ab", isNow: "cd")])),
        EventBody(
            .requestRefused,
            RefusedRequest(request: "checkout", patron: 8, titles: [7, 0], copy: 6, loan: 5, refusal: refusal)),
        EventBody(
            .noticeRecorded,
            [
                Notice(
                    id: 3, kind: "overdue", subjectKey: "loan:5", patron: 8, loan: 5, dueAt: now, stage: "s",
                    repetition: 2, channel: "email", subject: "", body: "", state: .sent, createdAt: now, sentAt: now,
                    readAt: now, tries: 4, carriedBy: 9)
            ]),
        EventBody(
            .noticeChanged,
            NoticeChange(notice: 3, patron: 8, loan: 5, state: .read, sentAt: now, readAt: now, tries: 1)),
        EventBody(.noticeChanged, NoticeChange(notice: 3, patron: 8, state: .superseded, tries: 0, carriedBy: 4)),
        EventBody(
            .ledgerPosted,
            [
                LedgerEntry(id: 1, key: "k", patron: 8, loan: 5, kind: .waiver, amount: price, label: "l", at: now)
            ]),
    ]

    static let bodies: [EventBody] =
        deskBodies + market
        + ListingChange.Step.allCases.map { EventBody(.listing($0), ListingChange($0, listing)) }
        + SuggestionChange.Step.allCases.map { EventBody(.suggestion($0), SuggestionChange($0, suggestion)) }

    @Test("a payload reads back as what was written", arguments: bodies)
    func roundTrip(body: EventBody) throws {
        var writer = JSONWriter()
        body.write(to: &writer)
        let event = Event(
            sequence: 1, at: Self.now, actor: "a", channel: "desk", kind: body.kind, version: 1,
            payload: writer.text, request: "r", ordinal: 0)
        #expect(try event.body() == body)
    }

    @Test("every kind of event is tried")
    func complete() {
        #expect(Set(Self.bodies.map(\.kind)) == Set(EventKinds.all.map(\.name)))
    }

    @Test(
        "a payload that lacks what it must have is an error that says so",
        arguments: [
            "{}", "[]", "{", "{\"id\":\"7\"}", "{\"id\":7,\"title\":5}",
        ])
    func broken(payload: String) {
        let event = Event(
            sequence: 9, at: Self.now, actor: "a", channel: "desk", kind: "title.added", version: 1, payload: payload,
            request: "r", ordinal: 0)
        #expect(throws: DeskError.self) { try event.body() }
    }

    @Test("events are found by kind, patron, copy, loan and place")
    func queries() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        let last = try library.desk.read { try $0.events.last() }
        func list(_ query: EventQuery) throws -> [String] {
            try library.desk.read { try $0.events.list(query) }.map(\.kind)
        }
        #expect(try list(EventQuery(loan: loan.id)) == ["loan.made"])
        #expect(try list(EventQuery(copy: loan.copy)) == ["copy.added", "loan.made"])
        #expect(try list(EventQuery(patron: loan.patron)) == ["patron.added", "loan.made"])
        #expect(try list(EventQuery(since: last - 1)) == ["loan.made"])
        #expect(try list(EventQuery(kind: "patron.added", limit: 2)).count == 2)
        #expect(try list(EventQuery(from: library.clock.now().adding(hours: 1))).isEmpty)
    }
}
