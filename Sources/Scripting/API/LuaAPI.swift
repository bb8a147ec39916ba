import Circulation
import Desk
import Market

/// The Lua API: the one declaration from which bindings, help, references, checks and tests are made.
package enum LuaAPI {
    /// All modules, the global functions first.
    package static let modules: [APIModule] = [
        .globals, .catalogue, .patrons, .accounts, .loans, .holds, .cart, .market, .messages, .suggestions,
        .ratings, .lists,
        .notifications, .fees, .branches, .categories, .itemTypes, .locations,
        .calendar,
        .http, .webhooks, .stats, .report, .store, .json, .csv, .digest, .log,
    ]

    /// All functions, in the order of their modules.
    package static let functions: [APIFunction] = modules.flatMap(\.functions)

    /// The types of the records that functions take and give.
    package static let records: [APIRecordType] = [
        APIRecord<CountedTitle>.title.type, APIRecord<Course>.course.type, APIRecord<Copy>.copy.type,
        APIRecord<LentTitle>.lentTitle.type, APIRecord<SharedTitle>.share.type,
        APIRecord<Spelling>.spelling.type, APIRecord<FacetCount>.facet.type,
        APIRecord<Patron>.patron.type,
        APIRecord<PatronBlock>.block.type, APIRecord<LinkedPatron>.link.type,
        APIRecord<DuplicatePatrons>.duplicate.type, APIRecord<DuplicatesPart>.duplicates.type,
        APIRecord<MergedPatron>.merge.type, APIRecord<FavouriteRow>.favourite.type,
        APIRecord<Loan>.loan.type, APIRecord<Checkin>.checkin.type,
        APIRecord<StoppedLoan>.stoppedLoan.type, APIRecord<LatestLoan>.latestLoan.type,
        APIRecord<AccountManager.Entry>.session.type,
        APIRecord<QueuedHold>.hold.type, APIRecord<PullItem>.pullItem.type,
        APIRecord<InHouseUse>.inHouseUse.type, APIRecord<AskedDecision>.decision.type,
        APIRecord<RecordedDecision>.recordedDecision.type,
        APIRecord<Refusal>.refusal.type, APIRecord<Notice>.notice.type, APIRecord<OutboxRow>.outboxNotice.type,
        APIRecord<SweepSummary>.sweep.type,
        APIRecord<ListingRow>.listing.type, APIRecord<Order>.order.type, APIRecord<Order.Item>.orderItem.type,
        APIRecord<PriceLine>.priceLine.type, APIRecord<Rental>.rental.type,
        APIRecord<MonthOfSales>.monthOfSales.type, APIRecord<CartRow>.cartLine.type,
        APIRecord<CartTotal>.cartTotal.type, APIRecord<CartCheckout>.cartCheckout.type,
        APIRecord<Suggestion>.suggestion.type,
        APIRecord<RatingRow>.rating.type, APIRecord<RatingRow>.review.type, APIRecord<RatingSummary>.summary.type,
        APIRecord<TitleListRow>.titleList.type, APIRecord<ListedTitle>.listedTitle.type,
        APIRecord<ConversationRow>.conversation.type, APIRecord<MessageRow>.message.type,
        APIRecord<LedgerEntry>.ledgerEntry.type, APIRecord<Branch>.branch.type,
        APIRecord<Circulation.Category>.category.type, APIRecord<ItemType>.itemType.type,
        APIRecord<ShelvingLocation>.location.type,
        APIRecord<Closure>.closure.type, APIRecord<LoanCount>.loanCount.type,
        APIRecord<RarelyLentRow>.rarelyLent.type, APIRecord<TitleTotals>.titleTotals.type,
        APIRecord<YearOfCollection>.collectionYear.type, APIRecord<Holding>.holding.type,
        APIRecord<HourOfWeek>.hourOfWeek.type, APIRecord<MonthOfPatrons>.monthOfPatrons.type,
        APIRecord<FigureLine>.figureColumn.type, APIRecord<FigureLine>.figureRow.type,
        APIRecord<NamedFigures>.figures.type,
        APIRecord<Debtor>.debtor.type, APIRecord<DebtTotal>.debtTotal.type, APIRecord<Event>.event.type,
        APIRecord<WebReply>.reply.type,
        APIRecord<WebhookRow>.webhook.type,
    ]

    private static let functionsByName = Dictionary(
        functions.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })

    /// The function of a full name such as `loans.checkout`.
    package static func function(_ name: String) -> APIFunction? { functionsByName[name] }

    /// The module of a name; nil where there is none.
    package static func module(_ name: String) -> APIModule? {
        name.isEmpty ? nil : modules.first { $0.name == name }
    }

    /// The type of record of a name; nil where there is none.
    package static func record(_ name: String) -> APIRecordType? { records.first { $0.name == name } }
}
