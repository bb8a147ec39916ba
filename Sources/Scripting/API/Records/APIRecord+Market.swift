import Circulation
import Desk
import LuaRuntime
import Market

/// A listing with the name of what it offers.
struct ListingRow: Sendable {
    let listing: Listing
    let name: String
    let authors: [String]
    let isbn: ISBN?
    let seller: String?

    init(_ listing: Listing, in session: DeskSession) throws {
        self.listing = listing
        let title = try listing.title.flatMap { try session.catalogue.get(.id($0)) }
        name = try title?.title ?? session.market.label(of: listing)
        authors = title?.authors ?? listing.proposal?.authors ?? []
        isbn = title?.isbn ?? listing.proposal?.isbn
        seller = try listing.seller.flatMap { try session.patrons.get(.id($0))?.publicName }
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
        APIRecord.declared { $0.listing } + [
            always("name", .text, "the title's name") { .string($0.name) },
            always("authors", .list(.text), "the title's") { .texts($0.authors) },
            maybe("isbn", .text, "the title's") { .text($0.isbn?.digits13) },
            maybe("seller_name", .text, "as other patrons see the seller") { .text($0.seller) },
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
        APIRecord.declared(
            replacing: [
                "kind": [
                    always("kind", .choice([SaleKind.buy.rawValue, SaleKind.rent.rawValue]), "") {
                        .string($0.kind.rawValue)
                    }
                ],
                "label": [always("name", .text, "the title's name as it was") { .string($0.label) }],
                "ends": [maybe("ends_on", .date, "the last day of a rental") { $0.ends.map(LuaValue.date) }],
            ]
        ) { $0 })
}

extension APIRecord<Order> {
    static let order = APIRecord(
        "order", "What a patron bought or rented in one go, with what it cost.",
        APIRecord.declared { $0 } + [
            always("owed", .money, "what of it is owed to the library, the rest being between patrons") {
                .money((try? $0.owed()) ?? $0.total)
            }
        ])
}

extension APIRecord<Rental> {
    static let rental = APIRecord(
        "rental", "Something of a listing that a patron has until a date.",
        APIRecord.declared(replacing: ["ends": [always("ends_on", .date, "the last day") { .date($0.ends) }]]) { $0 })
}

extension APIRecord<MonthOfSales> {
    static let monthOfSales = APIRecord(
        "month_of_sales", "What a title sold for in one month.",
        [
            always("month", .text, "`2026-05`") { .string($0.name) },
            always("sold", .count, "items sold") { .integer($0.sold) },
            maybe("lowest", .money, "the lowest price of a piece") { $0.lowest.map(LuaValue.money) },
            maybe("average", .money, "the mean price of a piece, rounded half up") { $0.average.map(LuaValue.money) },
            maybe("highest", .money, "the highest price of a piece") { $0.highest.map(LuaValue.money) },
        ])
}

extension APIRecord<CartRow> {
    static let cartLine = APIRecord(
        "cart_line", "Something in a patron's cart.",
        APIRecord.declared(
            replacing: [
                "ends": [maybe("ends_on", .date, "the last day of a rental") { $0.line.ends.map(LuaValue.date) }]
            ]
        ) { $0.line } + [always("name", .text, "the title's name") { .string($0.name) }])
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
        "suggestion", "A title that a patron asks the library for.",
        APIRecord.declared(
            replacing: [
                "proposal": [
                    always("name", .text, "the title's name as it was asked for") { .string($0.proposal.title) },
                    maybe("isbn", .text, "") { .text($0.proposal.isbn?.digits13) },
                    always("authors", .list(.text), "") { .texts($0.proposal.authors) },
                    always("courses", .list(.text), "codes of courses that use it") { .texts($0.proposal.courses) },
                    maybe("college", .text, "") { .text($0.proposal.college) },
                ]
            ]
        ) { $0 })
}
