import Circulation
import Storage
import TextFormats

/// Compares the tables that the events lead to with those that are there. Rows are compared by what events tell of them.
struct TableComparison {
    let events: Transaction
    let tables: Transaction
    let limit: Int

    func run(into report: inout DoctorReport) throws {
        try compareSettings(&report)
        try compare("titles", &report) { transaction, rows in
            try transaction.titles.forEach { title in rows.add(title.id) { $0.members(of: title) } }
        }
        try compare("copies", &report) { transaction, rows in
            try transaction.copies.forEach { copy in rows.add(copy.id) { $0.members(of: copy) } }
        }
        try compare("patrons", &report) { transaction, rows in
            try transaction.patrons.forEach { patron in rows.add(patron.id) { $0.members(of: patron) } }
        }
        try compare("blocks", &report) { transaction, rows in
            try transaction.blocks.forEach { block in rows.add(block.id) { $0.members(of: block) } }
        }
        try compare("loans", &report) { transaction, rows in
            try transaction.loans.forEach { loan in rows.add(loan.id) { $0.members(of: loan) } }
        }
        try compare("holds", &report) { transaction, rows in
            try transaction.holds.forEach { hold in rows.add(hold.id) { $0.members(of: hold) } }
        }
        try compare("in_house_uses", &report) { transaction, rows in
            try transaction.inHouseUses.forEach { use in rows.add(use.id) { $0.members(of: use) } }
        }
        try compareMarket(&report)
        try compare("notices", &report) { transaction, rows in
            try transaction.notices.forEach { notice in rows.add(notice.id) { $0.members(of: notice) } }
        }
        try compare("ledger", &report) { transaction, rows in
            try transaction.ledger.forEach { entry in rows.add(entry.id) { $0.members(of: entry) } }
        }
        try compare("policy_activations", &report) { transaction, rows in
            for activation in try transaction.policies.history() {
                _ = rows.add(activation.id) { $0.members(of: activation) }
            }
        }
    }

    private func compareMarket(_ report: inout DoctorReport) throws {
        try compare("listings", &report) { transaction, rows in
            try transaction.listings.forEach { listing in rows.add(listing.id) { $0.members(of: listing) } }
        }
        try compare("orders", &report) { transaction, rows in
            try transaction.orders.forEach { order in rows.add(order.id) { $0.members(of: order) } }
        }
        try compare("rentals", &report) { transaction, rows in
            try transaction.rentals.forEach { rental in rows.add(rental.id) { $0.members(of: rental) } }
        }
        try compare("cart_lines", &report) { transaction, rows in
            try transaction.carts.forEach { line in rows.add(line.id) { $0.members(of: line) } }
        }
        try compare("favourites", &report) { transaction, rows in
            try transaction.favourites.forEach { favourite in rows.add(favourite.id) { $0.members(of: favourite) } }
        }
        try compare("suggestions", &report) { transaction, rows in
            try transaction.suggestions.forEach { suggestion in rows.add(suggestion.id) { $0.members(of: suggestion) } }
        }
    }

    private func compareSettings(_ report: inout DoctorReport) throws {
        try compare("settings", &report) { transaction, rows in
            guard let library = try transaction.settings.library() else { return }
            _ = rows.add("library") { library.writeMembers(to: &$0) }
        }
        // Their order matters too: the first branch is where requests without one are made.
        try compare("branches", &report) { transaction, rows in
            for (place, branch) in try transaction.settings.branches().enumerated() {
                _ = rows.add(branch.code, place) { branch.writeMembers(to: &$0) }
            }
        }
        try compare("categories", &report) { transaction, rows in
            for (place, category) in try transaction.settings.categories().enumerated() {
                _ = rows.add(category.code, place) { category.writeMembers(to: &$0) }
            }
        }
        try compare("item_types", &report) { transaction, rows in
            for (place, itemType) in try transaction.settings.itemTypes().enumerated() {
                _ = rows.add(itemType.code, place) { itemType.writeMembers(to: &$0) }
            }
        }
    }

    private func compare(
        _ table: String, _ report: inout DoctorReport, _ read: (Transaction, TableRows) throws -> Void
    ) throws {
        let (expected, found) = (TableRows(), TableRows())
        try read(events, expected)
        try read(tables, found)
        report.broken += expected.differences(from: found, in: table, limit: limit)
    }
}
