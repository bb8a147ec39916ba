import Circulation
import TextFormats

// Listings, orders, rentals, carts and suggestions.
extension NativeRecords {
    private static let titleMembers = ["isbn", "title_id", "title", "authors", "year"]

    static func listing(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(
            only: titleMembers + [
                "id", "key", "seller", "kind", "price", "period", "quantity", "condition", "edition", "picture", "note",
                "state", "created_at", "updated_at", "decision", "proposal", "policy",
            ])
        let names = ImportedNames(work: work(&reader), owner: reader.text("seller"))
        let key = reader.requiredText("key")
        let kind = reader.required("kind", reader.choice("kind", Listing.Kind.self))
        let state = reader.required("state", reader.choice("state", Listing.State.self))
        let createdAt = reader.required("created_at", reader.instant("created_at"))
        guard let key, let kind, let state, let createdAt else { return [] }
        let listing = Listing(
            id: reader.integer("id") ?? 0, seller: nil, title: nil, kind: kind, price: reader.money("price"),
            period: reader.period("period"), quantity: reader.integer("quantity") ?? 1,
            condition: reader.text("condition") ?? "", edition: reader.text("edition") ?? "",
            picture: reader.text("picture"), note: reader.text("note") ?? "", state: state, createdAt: createdAt,
            updatedAt: reader.instant("updated_at"), decision: reader.text("decision"),
            proposal: reader.proposal("proposal"), policy: reader.text("policy"), importKey: key)
        return reader.isRejected ? [] : [.market(.listing(listing, names))]
    }

    static func order(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: [
            "id", "key", "username", "category", "state", "items", "lines", "total", "placed_at", "closed_at",
            "channel",
            "policy",
        ])
        let names = ImportedNames(username: reader.text("username"))
        let key = reader.requiredText("key")
        let state = reader.required("state", reader.choice("state", Order.State.self))
        let placedAt = reader.required("placed_at", reader.instant("placed_at"))
        let total = reader.required("total", reader.money("total"))
        let lines = (reader.value("lines")?.arrayValue ?? []).map { PriceLine(json: $0) }
        if lines.contains(nil) { reader.reject("lines", "wrong_type", "expected a list of labels and amounts") }
        var items: [(item: Order.Item, names: ImportedNames)] = []
        for (index, element) in (reader.value("items")?.arrayValue ?? []).enumerated() {
            var part = reader.part(element.objectValue ?? [:], path: "items[\(index + 1)]")
            if let item = item(&part) { items.append(item) }
            reader.take(part.problems)
        }
        guard let key, let state, let placedAt, let total, !reader.isRejected else { return [] }
        let order = Order(
            id: reader.integer("id") ?? 0, buyer: nil, category: reader.text("category"), state: state,
            items: items.map(\.item), lines: lines.compactMap { $0 }, total: total, placedAt: placedAt,
            closedAt: reader.instant("closed_at"), channel: reader.choice("channel"), policy: reader.text("policy"),
            importKey: key)
        return reader.isRejected ? [] : [.market(.order(order, names, items: items.map(\.names)))]
    }

    private static func item(_ reader: inout MemberReader) -> (item: Order.Item, names: ImportedNames)? {
        reader.allow(
            only: titleMembers + ["listing", "seller", "kind", "label", "quantity", "price", "periods", "ends"])
        let names = ImportedNames(
            work: work(&reader), owner: reader.text("seller"), listing: reader.text("listing"))
        let kind = reader.required("kind", reader.choice("kind", SaleKind.self))
        let price = reader.required("price", reader.money("price"))
        guard let kind, kind != .loan, let price, let label = reader.requiredText("label") else { return nil }
        let item = Order.Item(
            listing: nil, title: nil, seller: nil, kind: kind, label: label,
            quantity: reader.integer("quantity") ?? 1, price: price, periods: reader.integer("periods") ?? 1,
            ends: reader.date("ends"))
        return (item, names)
    }

    static func rental(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(
            only: titleMembers + [
                "id", "key", "listing", "lender", "borrower", "order", "quantity", "price", "period", "begun_at",
                "ends",
                "ended_at",
            ])
        let names = ImportedNames(
            work: work(&reader), username: reader.text("borrower"), owner: reader.text("lender"),
            listing: reader.requiredText("listing"), order: reader.text("order"))
        let key = reader.requiredText("key")
        let price = reader.required("price", reader.money("price"))
        let period = reader.required("period", reader.period("period"))
        let begunAt = reader.required("begun_at", reader.instant("begun_at"))
        let ends = reader.required("ends", reader.date("ends"))
        guard let key, let price, let period, let begunAt, let ends else { return [] }
        let rental = Rental(
            id: reader.integer("id") ?? 0, listing: 0, title: nil, lender: nil, borrower: nil,
            quantity: reader.integer("quantity") ?? 1, price: price, period: period, begunAt: begunAt, ends: ends,
            endedAt: reader.instant("ended_at"), importKey: key)
        return reader.isRejected ? [] : [.market(.rental(rental, names))]
    }

    static func cartLine(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(
            only: titleMembers + ["id", "username", "kind", "listing", "quantity", "price", "ends", "added_at"])
        let names = ImportedNames(
            work: work(&reader), username: reader.requiredText("username"), listing: reader.text("listing"))
        let kind = reader.required("kind", reader.choice("kind", SaleKind.self))
        let addedAt = reader.required("added_at", reader.instant("added_at"))
        guard let kind, let addedAt else { return [] }
        let line = CartLine(
            id: reader.integer("id") ?? 0, patron: 0, kind: kind, quantity: reader.integer("quantity") ?? 1,
            price: reader.money("price"), ends: reader.date("ends"), addedAt: addedAt)
        return reader.isRejected ? [] : [.market(.cartLine(line, names))]
    }

    static func favourite(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: titleMembers + ["id", "username", "listing", "added_at"])
        let names = ImportedNames(
            work: work(&reader), username: reader.requiredText("username"), listing: reader.text("listing"))
        guard let addedAt = reader.required("added_at", reader.instant("added_at")) else { return [] }
        let favourite = Favourite(id: reader.integer("id") ?? 0, patron: 0, addedAt: addedAt)
        return reader.isRejected ? [] : [.market(.favourite(favourite, names))]
    }

    static func suggestion(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(
            only: titleMembers + [
                "id", "key", "username", "proposal", "note", "state", "submitted_at", "decided_at", "decision",
                "policy",
            ])
        let names = ImportedNames(work: work(&reader), username: reader.text("username"))
        let key = reader.requiredText("key")
        let proposal = reader.required("proposal", reader.proposal("proposal"))
        let state = reader.required("state", reader.choice("state", Suggestion.State.self))
        let submittedAt = reader.required("submitted_at", reader.instant("submitted_at"))
        guard let key, let proposal, let state, let submittedAt else { return [] }
        let suggestion = Suggestion(
            id: reader.integer("id") ?? 0, patron: nil, proposal: proposal, note: reader.text("note") ?? "",
            state: state, submittedAt: submittedAt, decidedAt: reader.instant("decided_at"),
            decision: reader.text("decision"), policy: reader.text("policy"), importKey: key)
        return reader.isRejected ? [] : [.market(.suggestion(suggestion, names))]
    }
}

extension MemberReader {
    mutating func money(_ member: String) -> Money? {
        guard let text = text(member) else { return nil }
        do throws(MoneyError) {
            return try Money(parsing: text)
        } catch {
            reject(member, "bad_money", "\(error)")
            return nil
        }
    }

    mutating func period(_ member: String) -> Period? {
        guard let text = text(member) else { return nil }
        guard let period = try? Period(parsing: text), period.count > 0 else {
            reject(member, "bad_value", "'\(text)' is not a period")
            return nil
        }
        return period
    }

    mutating func proposal(_ member: String) -> TitleProposal? {
        guard let object = object(member) else { return nil }
        guard let proposal = TitleProposal(json: object) else {
            reject(member, "bad_value", "that proposes no title")
            return nil
        }
        return proposal
    }
}
