package import TextFormats

extension Case {
    /// The case as a tree, calendar included; ``init(json:)`` reads it back as it was.
    package var json: JSON { JSON { write(to: &$0) } }

    /// Appends the case in the shape that ``init(json:)`` reads, without making a tree of it first: the decision log is
    /// written with every checkout. The parts are always there, null where the case has none, but `hold`, `suggestion`,
    /// `lines` and `event`, which are left out then, as members without a value are.
    ///
    /// - Parameter withCalendar: the decision log leaves the calendar out; the settings' events tell what it was.
    package func write(to writer: inout JSONWriter, withCalendar: Bool = true) {
        writer.beginObject()
        writer.member("point", point.rawValue)
        writer.member("now", now)
        writer.member("time_zone", zone.identifier)
        writer.chain("branch", branches)
        writer.member("currency", currency.code)
        writer.object("actor") { writer in
            writer.member("role", actor.role.rawValue)
            writer.member("channel", actor.channel.rawValue)
        }
        writer.object("patron") { patron.writeMembers(to: &$0) }
        writer.object("title", of: title) { $0.writeMembers(to: &$1) }
        writer.object("copy", of: copy) { $0.writeMembers(to: &$1) }
        writer.object("loan", of: loan) { $0.writeMembers(to: &$1) }
        writer.object("request", of: request) { $0.writeMembers(to: &$1) }
        // The log of decisions has a line for every checkout, few of which are about a hold.
        if let hold { writer.object("hold") { hold.writeMembers(to: &$0) } }
        writer.object("listing", of: listing) { $0.writeMembers(to: &$1) }
        if let suggestion { writer.object("suggestion") { suggestion.writeMembers(to: &$0) } }
        if let lines { writer.list("lines", lines) { $1.writeMembers(to: &$0) } }
        writer.member("event", event?.rawValue)
        if withCalendar {
            writer.key("calendar")
            writer.value(calendar.json)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    /// A code without a parent as a text, one with ancestors as a list.
    fileprivate mutating func chain(_ name: String, _ codes: [String]) {
        if codes.count == 1 {
            member(name, codes[0])
        } else {
            key(name)
            beginArray()
            for code in codes { string(code) }
            endArray()
        }
    }
}

extension PatronFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.chain("category", categories)
        writer.chain("home_branch", homeBranches)
        writer.member("language", language)
        writer.member("age", age)
        writer.member("expires_on", expiresOn)
        writer.member("fees_owed", feesOwed)
        writer.member("overdue", overdue)
        writer.member("lost", lost)
        if claims != 0 { writer.member("claims", claims) }
        writer.list("blocks", blocks) { writer, block in
            writer.member("kind", block.kind)
            writer.member("ends", block.ends)
            writer.key("actions")
            writer.beginArray()
            for action in BlockFacts.Action.allCases where block.actions.contains(action) {
                writer.string(action.rawValue)
            }
            writer.endArray()
        }
        writer.member("suspended_until", suspendedUntil)
        writer.list("loans", loans) { $1.writeMembers(to: &$0) }
        writer.member("holds", holds)
        writer.member("extra", extra)
    }
}

extension OpenLoanFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("title", title)
        writer.chain("item_type", itemTypes)
        writer.chain("branch", branches)
        if !copyBranches.isEmpty { writer.chain("copy_branch", copyBranches) }
        writer.mark("on_site", onSite)
        writer.member("channel", channel?.rawValue)
        writer.member("due_at", dueAt)
    }
}

extension TitleFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("genres", genres)
        writer.member("courses", courses)
        writer.member("copies", copies)
        writer.member("available", available)
        writer.member("holds_waiting", holdsWaiting)
        if holdsForCopy > 0 { writer.member("holds_for_copy", holdsForCopy) }
        writer.member("extra", extra)
    }
}

extension CopyFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.chain("branch", branches)
        writer.chain("item_type", itemTypes)
        writer.member("status", status.rawValue)
        writer.member("replacement_price", replacementPrice)
        writer.mark("held_for_other", heldForOther)
    }
}

extension LoanFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("lent_at", lentAt)
        writer.member("due_at", dueAt)
        writer.member("original_due_at", originalDueAt)
        writer.member("renewals", renewals)
        writer.member("unseen_renewals", unseenRenewals)
        writer.member("recalled_at", recalledAt)
        writer.member("lost_at", lostAt)
        writer.member("claimed_at", claimedAt)
        writer.mark("on_site", onSite)
        if !notices.isEmpty {
            writer.list("notices", notices) { writer, notice in
                writer.member("stage", notice.stage)
                writer.member("repetition", notice.repetition)
                writer.member("at", notice.at)
            }
        }
    }
}

extension HoldFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("category", category)
        writer.member("pickup_branch", pickupBranch)
        writer.member("placed_at", placedAt)
        writer.member("expires_on", expiresOn)
        writer.mark("for_copy", isForCopy)
        writer.member("priority", priority)
        writer.member("position", position)
        writer.member("placed_today", placedToday)
        if atPickup > 0 { writer.member("at_pickup", atPickup) }
    }
}

extension ListingFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("seller", seller)
        writer.member("seller_category", sellerCategory)
        writer.member("kind", kind.rawValue)
        writer.member("price", price)
        writer.member("period", period?.isoText)
        writer.member("quantity", quantity)
        writer.member("condition", condition)
        writer.member("edition", edition)
        writer.mark("picture", hasPicture)
        writer.member("state", state.rawValue)
        writer.member("others", others)
    }
}

extension SuggestionFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.mark("isbn", hasISBN)
        writer.member("courses", courses)
        writer.member("college", college)
        writer.member("others", others)
    }
}

extension SaleLine {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("kind", kind.rawValue)
        writer.member("label", label)
        writer.member("title", title)
        writer.member("listing", listing)
        writer.member("seller", seller)
        writer.member("seller_category", sellerCategory)
        writer.member("quantity", quantity)
        writer.member("price", price)
        writer.member("periods", periods)
        writer.member("ends", ends)
    }
}

extension RequestFacts {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("size", size)
        writer.key("titles")
        writer.beginArray()
        for title in titles { writer.integer(title) }
        writer.endArray()
        writer.member("index", index)
        if !granted.isEmpty { writer.list("granted", granted) { $1.writeMembers(to: &$0) } }
        writer.mark("on_site", onSite)
    }
}
