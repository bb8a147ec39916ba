import Circulation
import Desk
import LuaRuntime

/// A listing with the name of what it offers.
struct ListingRow: Sendable {
    let listing: Listing
    let name: String

    init(_ listing: Listing, in session: DeskSession) throws {
        self.listing = listing
        name = try session.market.label(of: listing)
    }
}

/// A line of a cart with the name of what it is about.
struct CartRow: Sendable {
    let line: CartLine
    let name: String

    init(_ line: CartLine, in session: DeskSession) throws {
        self.line = line
        if let listing = try line.listing.flatMap({ try session.market.get($0) }) {
            name = try session.market.label(of: listing)
        } else {
            name = try line.title.flatMap { try session.catalogue.get(.id($0))?.title } ?? ""
        }
    }
}

extension APIRecord<ListingRow> {
    static let listing = APIRecord(
        "listing", "Something that a patron or the library offers.",
        [
            always("id", .id, "") { .integer($0.listing.id) },
            maybe("seller", .id, "the patron's id; nil: the library itself, or a seller who was removed") {
                .whole($0.listing.seller)
            },
            maybe("title", .id, "the title's id; nil while the catalogue does not have it") {
                .whole($0.listing.title)
            },
            always("name", .text, "the title's name") { .string($0.name) },
            always("kind", .choice(Listing.Kind.allCases.map(\.rawValue)), "") { .string($0.listing.kind.rawValue) },
            maybe("price", .money, "of one piece, of a rental for each `period`") {
                $0.listing.price.map(LuaValue.money)
            },
            maybe("period", .period, "what a rental's price is for") { $0.listing.period.map(LuaValue.period) },
            always("quantity", .count, "pieces that can be had") { .integer($0.listing.quantity) },
            always("condition", .text, "") { .string($0.listing.condition) },
            always("edition", .text, "") { .string($0.listing.edition) },
            maybe("picture", .text, "an http or https address") { .text($0.listing.picture) },
            always("note", .text, "") { .string($0.listing.note) },
            always("state", .choice(Listing.State.allCases.map(\.rawValue)), "") { .string($0.listing.state.rawValue) },
            maybe("decision", .text, "what was said when it was reviewed, or why it is") { .text($0.listing.decision) },
            always("created_at", .instant, "") { .instant($0.listing.createdAt) },
            always("updated_at", .instant, "") { .instant($0.listing.updatedAt) },
            maybe("policy", .text, "SHA-256 of the policy that decided whether to publish it") {
                .text($0.listing.policy)
            },
        ])
}

extension APIRecord<PriceLine> {
    static let priceLine = APIRecord(
        "price_line", "One line of what something costs.",
        [
            always("label", .text, "") { .string($0.label) },
            always("amount", .money, "negative for a reduction") { .money($0.amount) },
            maybe(
                "item", .count,
                "the place among the items of the order, or among the cart's lines to buy and rent, of one whose seller"
                    + " it is owed to; nil: it is owed to the library"
            ) { .whole($0.item) },
        ])
}

extension APIRecord<Order.Item> {
    static let orderItem = APIRecord(
        "order_item", "One thing that was bought or rented.",
        [
            maybe("listing", .id, "the listing's id") { .whole($0.listing) },
            maybe("title", .id, "the title's id") { .whole($0.title) },
            maybe("seller", .id, "the seller's id; nil: the library itself") { .whole($0.seller) },
            always("kind", .choice([SaleKind.buy.rawValue, SaleKind.rent.rawValue]), "") { .string($0.kind.rawValue) },
            always("name", .text, "the title's name as it was") { .string($0.label) },
            always("quantity", .count, "") { .integer($0.quantity) },
            always("price", .money, "of one piece, of a rental for one period") { .money($0.price) },
            always("periods", .count, "how many periods a rental lasts") { .integer($0.periods) },
            maybe("ends_on", .date, "the last day of a rental") { $0.ends.map(LuaValue.date) },
        ])
}

extension APIRecord<Order> {
    static let order = APIRecord(
        "order", "What a patron bought or rented in one go, with what it cost.",
        [
            always("id", .id, "") { .integer($0.id) },
            maybe("buyer", .id, "the patron's id; nil once the patron is removed") { .whole($0.buyer) },
            always("state", .choice(Order.State.allCases.map(\.rawValue)), "`open` until it is handed over") {
                .string($0.state.rawValue)
            },
            always("items", .list(.record("order_item")), "") { APIRecord<Order.Item>.orderItem.list($0.items) },
            always(
                "lines", .list(.record("price_line")), "what is owed to the library is posted to the buyer's account"
            ) {
                APIRecord<PriceLine>.priceLine.list($0.lines)
            },
            always("total", .money, "the sum of the lines") { .money($0.total) },
            always("owed", .money, "what of it is owed to the library, the rest being between patrons") {
                .money((try? $0.owed()) ?? $0.total)
            },
            always("placed_at", .instant, "") { .instant($0.placedAt) },
            maybe("closed_at", .instant, "when it was handed over or cancelled") {
                $0.closedAt.map(LuaValue.instant)
            },
            maybe("channel", .text, "`desk`, `self`, `web` or `job`") { .text($0.channel?.rawValue) },
            maybe("policy", .text, "SHA-256 of the policy that set the price") { .text($0.policy) },
        ])
}

extension APIRecord<Rental> {
    static let rental = APIRecord(
        "rental", "Something of a listing that a patron has until a date.",
        [
            always("id", .id, "") { .integer($0.id) },
            always("listing", .id, "") { .integer($0.listing) },
            maybe("title", .id, "the title's id") { .whole($0.title) },
            maybe("lender", .id, "the seller's id; nil: the library itself") { .whole($0.lender) },
            maybe("borrower", .id, "the patron's id; nil once the patron is removed") { .whole($0.borrower) },
            maybe("order", .id, "the order that charged it") { .whole($0.order) },
            always("quantity", .count, "") { .integer($0.quantity) },
            always("price", .money, "for each `period`, as it was") { .money($0.price) },
            always("period", .period, "") { .period($0.period) },
            always("begun_at", .instant, "") { .instant($0.begunAt) },
            always("ends_on", .date, "the last day") { .date($0.ends) },
            maybe("ended_at", .instant, "when it was given back; nil: it is open") {
                $0.endedAt.map(LuaValue.instant)
            },
        ])
}

extension APIRecord<MonthOfSales> {
    static let monthOfSales = APIRecord(
        "month_of_sales", "What a title sold for in one month.",
        [
            always("month", .text, "`2026-05`") { .string($0.name) },
            always("sold", .count, "pieces sold") { .integer($0.sold) },
            maybe("lowest", .money, "the lowest price of a piece") { $0.lowest.map(LuaValue.money) },
            maybe("average", .money, "the mean price of a piece, rounded half up") { $0.average.map(LuaValue.money) },
            maybe("highest", .money, "the highest price of a piece") { $0.highest.map(LuaValue.money) },
        ])
}

extension APIRecord<CartRow> {
    static let cartLine = APIRecord(
        "cart_line", "Something in a patron's cart.",
        [
            always("id", .id, "") { .integer($0.line.id) },
            always("kind", .choice(SaleKind.allCases.map(\.rawValue)), "") { .string($0.line.kind.rawValue) },
            maybe("title", .id, "the title to borrow") { .whole($0.line.title) },
            maybe("listing", .id, "the listing to buy or rent from") { .whole($0.line.listing) },
            always("name", .text, "the title's name") { .string($0.name) },
            always("quantity", .count, "") { .integer($0.line.quantity) },
            maybe("price", .money, "the listing's price when the line was written") {
                $0.line.price.map(LuaValue.money)
            },
            maybe("ends_on", .date, "the last day of a rental") { $0.line.ends.map(LuaValue.date) },
            always("added_at", .instant, "") { .instant($0.line.addedAt) },
        ])
}

extension APIRecord<CartTotal> {
    static let cartTotal = APIRecord(
        "cart_total", "What a cart comes to.",
        [
            always("lines", .list(.record("price_line")), "") { APIRecord<PriceLine>.priceLine.list($0.lines) },
            always("total", .money, "the sum of the lines") { .money($0.total) },
            always("owed", .money, "what of it would be owed to the library") { .money($0.owed) },
        ])
}

extension APIRecord<CartCheckout> {
    static let cartCheckout = APIRecord(
        "cart_checkout", "What became of a cart.",
        [
            always("loans", .list(.record("loan")), "") { APIRecord<Loan>.loan.list($0.loans) },
            maybe("order", .record("order"), "what was bought and rented; nil where nothing was") {
                $0.order.map(APIRecord<Order>.order.table)
            },
            always("rentals", .list(.record("rental")), "") { APIRecord<Rental>.rental.list($0.rentals) },
        ])
}

extension APIRecord<Suggestion> {
    static let suggestion = APIRecord(
        "suggestion", "A title that somebody asks the library for.",
        [
            always("id", .id, "") { .integer($0.id) },
            maybe("patron", .id, "the patron's id; nil once the patron is removed") { .whole($0.patron) },
            always("name", .text, "the title's name as it was asked for") { .string($0.proposal.title) },
            maybe("isbn", .text, "") { .text($0.proposal.isbn?.digits13) },
            always("authors", .list(.text), "") { .texts($0.proposal.authors) },
            always("courses", .list(.text), "codes of courses that use it") { .texts($0.proposal.courses) },
            maybe("college", .text, "") { .text($0.proposal.college) },
            always("note", .text, "the proposer's own words") { .string($0.note) },
            always("state", .choice(Suggestion.State.allCases.map(\.rawValue)), "") { .string($0.state.rawValue) },
            maybe("decision", .text, "what was said with the decision, or why it is reviewed") { .text($0.decision) },
            maybe("title", .id, "the title in the catalogue, once it is approved") { .whole($0.title) },
            always("submitted_at", .instant, "") { .instant($0.submittedAt) },
            maybe("decided_at", .instant, "") { $0.decidedAt.map(LuaValue.instant) },
        ])
}
