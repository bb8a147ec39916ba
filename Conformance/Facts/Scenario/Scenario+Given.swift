import Circulation
import Desk
import TextFormats

// What is given is brought about, in the order of time, under a policy that refuses nothing.
extension Scenario {
    func bringAbout(_ calendar: OpeningCalendar) throws {
        try addSettings(calendar)
        try addPatrons()
        try addCopies()
        try library.activate(policy.lenient)
        var past: [(at: Instant, act: () throws -> Void)] = []
        for (index, loan) in given.records("loans").enumerated() { past += try planned(loan, index) }
        for (index, hold) in given.records("holds").enumerated() { past += try planned(hold: hold, index) }
        for (_, event) in past.enumerated().sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
            library.travel(to: event.at)
            try event.act()
        }
        library.travel(to: start)
        for patron in given.records("patrons") { try addStanding(patron) }
        if fact.steps.first?.operation != "accept_rules" { try library.activate(policy.text) }
    }

    // MARK: Settings and records

    private func addSettings(_ calendar: OpeningCalendar) throws {
        for (name, own) in given.map("branches") where name != FactLibrary.branch {
            let fields = own.objectValue.flatMap { $0.isEmpty ? nil : SchemaValues($0) }
            try library.addBranch(name, calendar: fields.map { try ScenarioCalendar.calendar($0) } ?? calendar)
        }
        let types = given.map("item_types")
        for (name, parent) in types where parent == "" { try library.addItemType(name) }
        for (name, parent) in types where parent != "" {
            try library.addItemType(parent.stringValue ?? name)
            try library.addItemType(name, parent: parent.stringValue)
        }
        for (condition, value) in policy.named {
            switch condition {
            case "category": try library.addCategory(value)
            case "item_type": try library.addItemType(value)
            default: try library.addBranch(value, calendar: calendar)
            }
        }
        let patrons = given.records("patrons")
        let things = given.records("copies") + given.records("loans")
        for patron in patrons { try library.addCategory(patron.text("category") ?? "patron") }
        for thing in things { try library.addItemType(thing.text("item_type") ?? "book") }
        let steps = fact.steps.map(\.values)
        let holds = given.records("holds")
        let places =
            (patrons + things + steps).compactMap { $0.text("branch") }
            + (steps + holds).compactMap { $0.text("pickup") }
        for branch in places + given.texts("pickup_refused") { try library.addBranch(branch, calendar: calendar) }
    }

    private func addPatrons() throws {
        for (index, patron) in given.records("patrons").enumerated() {
            let name = patron.text("name") ?? (index == 0 ? FactLibrary.reader : "patron-\(index + 1)")
            try addPatron(name)
            try library.change(name) { record in
                record.category = patron.text("category") ?? record.category
                record.homeBranch = patron.text("branch") ?? record.homeBranch
                if let group = patron.text("group") { record.extra["group"] = .string(group) }
            }
            // What is borrowed beforehand is borrowed before the membership ends; see `addStanding`.
        }
    }

    func addPatron(_ name: String) throws {
        guard try library.desk.read({ try $0.patrons.get(.username(name)) }) == nil else { return }
        try library.addPatron(name)
    }

    private func addCopies() throws {
        let listed = given.records("copies")
        for (index, copy) in (listed.isEmpty ? [SchemaValues()] : listed).enumerated() {
            let name = copy.text("name") ?? (index == 0 ? "copy" : "copy-\(index + 1)")
            let booked = try moment(copy, "booked_from")?.date
            try addCopies(
                name, title: copy.text("title") ?? (index == 0 ? "title" : name), count: copy.count("count") ?? 1, copy,
                extra: booked.map { ["booked_from": .string($0.description)] } ?? [:])
        }
    }

    private func addCopies(
        _ name: String, title: String, count: Int, _ values: SchemaValues, extra: JSONObject = [:]
    ) throws {
        guard (1...600).contains(count) else { throw NotExpressed("\(count) copies are not brought about") }
        let barcodes = (1...count).map { $0 == 1 ? name : "\(name)-\($0)" }
        let known = titles[title]
        let id = try library.desk.write { session in
            let record =
                try known
                ?? session.catalogue.add(Title(title: title, authors: ["A. \(title)"], extra: extra))
                .done("the title \(title)").id
            _ = try session.catalogue.addCopies(
                of: .id(record), count: count, branch: values.text("branch") ?? FactLibrary.branch,
                itemType: values.text("item_type") ?? "book", barcodes: barcodes,
                replacementPrice: values.money("price")
            ).done("copies of \(title)")
            return record
        }
        titles[title] = id
        copies += barcodes.map { ($0, $0, id) }
        guard values.text("status") == "withdrawn" else { return }
        for barcode in barcodes {
            _ = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: barcode) }.done("a withdrawn copy")
        }
    }

    // MARK: Loans

    private typealias Event = (at: Instant, act: () throws -> Void)

    private func planned(_ loan: SchemaValues, _ index: Int) throws -> [(at: Instant, act: () throws -> Void)] {
        let count = loan.count("count") ?? 1
        if count == 0 { return [] }
        var barcodes: [String] = []
        if let name = loan.text("copy") {
            barcodes = [try barcode(name)]
        } else {
            let name = "loan-\(index + 1)"
            for number in 1...min(count, 600) {
                let own = number == 1 ? name : "\(name)-\(number)"
                try addCopies(own, title: own, count: 1, loan)
                barcodes.append(own)
            }
        }
        library.travel(to: start)
        let due = try moment(loan, "due").map { $0.isDate ? Moment(try Self.endOfDay($0.date, zone), in: zone) : $0 }
        let lent = try instant(loan, "lent") ?? min(start, due?.instant ?? start).adding(hours: -240)
        guard lent <= start else { throw NotExpressed("a loan begins after the first step") }
        var events: [Event] = try barcodes.enumerated().map { offset, barcode in
            (try lent.adding(seconds: Int64(offset)), { try self.lend(barcode, loan, due) })
        }
        guard let state = loan.text("state"), state != "open" else { return events }
        let stated = try instant(loan, "stated") ?? start
        for barcode in barcodes {
            events.append(
                (stated, { try self.library.bring(self.knownLoan(barcode), to: Self.states[state] ?? state) }))
        }
        return events
    }

    private static let states = ["lost": "declared lost", "claimed": "claimed returned"]

    private func lend(_ barcode: String, _ values: SchemaValues, _ due: Moment?) throws {
        let patron = values.text("patron") ?? firstPatron
        try addPatron(patron)
        var loan = try library.lend(
            barcode, to: patron, onSite: values.flag("on_site") ?? false, at: values.text("branch"))
        let unseen = values.count("unseen_renewals") ?? 0
        for count in 0..<min(100, max(values.count("renewals") ?? 0, unseen)) {
            library.travel(to: try library.now.adding(seconds: 1))
            loan = try library.renew(loan, channel: count < unseen ? .web : .desk).done("a renewal beforehand")
        }
        loans[barcode] = loan.id
        guard values.flag("recalled") == true, let due else {
            if let due { _ = try library.setDue(loan, due) }
            return
        }
        _ = try library.setDue(loan, Moment(due.instant.adding(hours: 24 * 30), in: zone))
        var recalling = policy.lenient
        recalling.name = "recalling"
        recalling.remove("recall")
        recalling.add(to: "recall", "return \(LuaText.exact(due.instant, in: zone))")
        try library.activate(recalling)
        try addPatron("recaller")
        guard let title = copies.first(where: { $0.barcode == barcode })?.title else { return }
        _ = try library.placeHold(.title(.id(title)), by: "recaller").done("the recall")
        guard try library.loan(loan).recalledAt != nil else { throw NotExpressed("the loan could not be recalled") }
        try library.activate(policy.lenient)
    }

    // MARK: Holds

    private func planned(hold: SchemaValues, _ index: Int) throws -> [(at: Instant, act: () throws -> Void)] {
        let count = hold.count("count") ?? 1
        library.travel(to: start)
        let placed = try instant(hold, "placed") ?? start.adding(seconds: -600)
        return try (0..<min(count, 600)).map { number in
            (try placed.adding(seconds: Int64(number)), { try self.place(hold, index, number) })
        }
    }

    private func place(_ hold: SchemaValues, _ index: Int, _ number: Int) throws {
        let own = hold.text("patron")
        let patron = own ?? "waiter-\(holds.count { $0.patron.hasPrefix("waiter-") } + 1)"
        try addPatron(patron)
        var wanted: HoldRequest.Wanted
        var about: Int64
        if let copy = hold.text("copy") {
            let barcode = try barcode(copy)
            wanted = .copy(barcode)
            about = copies.first { $0.barcode == barcode }?.title ?? 0
        } else {
            if own != nil, hold.text("title") == nil {
                let name = "held-\(index + 1)-\(number + 1)"
                about = try library.addTitle(name).id
                titles[name] = about
            } else {
                about = try title(hold.text("title"))
            }
            wanted = .title(.id(about))
        }
        let placed = try library.placeHold(
            wanted, by: patron, pickup: hold.text("pickup") ?? FactLibrary.branch, expires: hold.date("expires")
        ).done("a hold beforehand")
        holds.append((patron, about, placed.hold.id))
        guard hold.flag("on_shelf") == true, let barcode = copies.first(where: { $0.title == about })?.barcode else {
            return
        }
        _ = try library.scan(barcode, at: hold.text("pickup") ?? FactLibrary.branch).done("the copy for a hold")
    }

    // MARK: Patrons

    /// Blocks, debts and the end of the membership, as they stand at the first step.
    private func addStanding(_ values: SchemaValues) throws {
        let name = values.text("name") ?? firstPatron
        for block in values.records("blocks") {
            let outcome = try library.desk.write {
                try $0.patrons.block(
                    .username(name), kind: block.text("kind") ?? "restriction",
                    actions: Self.actions(block.texts("refuses")),
                    ends: block.date("until"))
            }
            _ = try library.noted("\(name) is blocked", outcome).done("the block")
        }
        if let owes = values.money("owes"), owes.isPositive {
            let outcome = try library.desk.write {
                try $0.fees.charge(.username(name), amount: owes, label: "Debt from before")
            }
            _ = try library.noted("\(name) is charged \(owes)", outcome).done("the debt")
        }
        if let credit = values.money("credit"), credit.isPositive {
            let outcome = try library.desk.write { try $0.fees.pay(.username(name), amount: credit) }
            _ = try library.noted("\(name) pays \(credit)", outcome).done("the credit")
        }
        guard let ends = try moment(values, "expires") else { return }
        try library.change(name) { record in
            if given.flag("renew_when_expired") == true {
                record.extra["member_until"] = .string(ends.date.description)
            } else {
                record.expiresOn = ends.date
            }
            guard !ends.isDate else { return }
            let local = zone.local(of: ends.instant)
            record.extra["member_ends"] = .string("\(local.date) \(local.time)")
        }
    }

    static func actions(_ refuses: [String]) -> Set<BlockFacts.Action> {
        let named: [String: BlockFacts.Action] = ["checkout": .borrow, "renew": .renew, "hold": .hold]
        return refuses.isEmpty ? Set(BlockFacts.Action.allCases) : Set(refuses.compactMap { named[$0] })
    }
}
