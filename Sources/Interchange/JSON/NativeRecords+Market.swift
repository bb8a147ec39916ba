import Circulation
import TextFormats

// Listings, orders, rentals, carts and suggestions.
extension NativeRecords {
    static func listing(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(work: work(&reader), owner: reader.text("seller"))
        let pictures = (reader.value("pictures")?.arrayValue ?? []).compactMap { reader.picture($0, "pictures") }
        let listing = reader.record(ImportShapes.listing)
        guard var listing, !reader.isRejected else { return [] }
        listing.pictures = pictures.map(\.name)
        return [.market(.listing(listing, names, pictures: pictures))]
    }

    static func order(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(username: reader.text("username"))
        var items: [(item: Order.Item, names: ImportedNames)] = []
        for (index, element) in (reader.value("items")?.arrayValue ?? []).enumerated() {
            var part = reader.part(element.objectValue ?? [:], path: "items[\(index + 1)]")
            if let item = item(&part) { items.append(item) }
            reader.take(part.problems)
        }
        let order = reader.record(ImportShapes.order)
        guard var order else { return [] }
        order.items = items.map(\.item)
        return [.market(.order(order, names, items: items.map(\.names)))]
    }

    private static func item(_ reader: inout MemberReader) -> (item: Order.Item, names: ImportedNames)? {
        let names = ImportedNames(
            work: work(&reader), owner: reader.text("seller"), listing: reader.text("listing"))
        let item = reader.record(ExportedRecords.orderItem, required: ["kind", "price", "label"])
        guard let item, item.kind != .loan else { return nil }
        return (item, names)
    }

    static func rental(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(
            work: work(&reader), username: reader.text("borrower"), owner: reader.text("lender"),
            listing: reader.requiredText("listing"), order: reader.text("order"))
        let rental = reader.record(ImportShapes.rental)
        return rental.map { [.market(.rental($0, names))] } ?? []
    }

    static func cartLine(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(
            work: work(&reader), username: reader.requiredText("username"), listing: reader.text("listing"))
        let line = reader.record(ImportShapes.cartLine)
        return line.map { [.market(.cartLine($0, names))] } ?? []
    }

    static func favourite(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(
            work: work(&reader), username: reader.requiredText("username"), listing: reader.text("listing"))
        let favourite = reader.record(ImportShapes.favourite)
        return favourite.map { [.market(.favourite($0, names))] } ?? []
    }

    static func suggestion(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(work: work(&reader), username: reader.text("username"))
        let suggestion = reader.record(ImportShapes.suggestion)
        return suggestion.map { [.market(.suggestion($0, names))] } ?? []
    }

    static func conversation(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(
            username: reader.text("asker"), owner: reader.text("owner"), listing: reader.requiredText("listing"))
        let conversation = reader.record(ImportShapes.conversation)
        return conversation.map { [.market(.conversation($0, names))] } ?? []
    }

    static func message(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(username: reader.text("sender"))
        let conversation = reader.requiredText("conversation")
        let message = reader.record(ImportShapes.message)
        guard let message, let conversation else { return [] }
        return [.market(.message(message, names, conversation: conversation))]
    }

    static func blockedWriter(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(username: reader.requiredText("patron"), owner: reader.requiredText("writer"))
        let block = reader.record(ImportShapes.blockedWriter)
        return block.map { [.market(.blockedWriter($0, names))] } ?? []
    }
}
