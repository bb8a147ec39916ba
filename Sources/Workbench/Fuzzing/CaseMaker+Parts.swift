import Circulation
import TextFormats

extension CaseMaker {
    mutating func patron(_ point: DecisionPoint, _ moment: CaseMoment) -> JSONObject {
        var patron: JSONObject = ["category": .string(category())]
        if point == .expiry {
            patron["birth_date"] = birthDate(at: moment)
        } else if wants("age") {
            patron["age"] = .integer(count(upTo: 110))
        }
        if wants("fees_owed", otherwise: 0.05) { patron["fees_owed"] = amount() }
        if wants("overdue", otherwise: 0.05) { patron["overdue"] = .integer(count(upTo: 100)) }
        if wants("lost") { patron["lost"] = .integer(count(upTo: 100)) }
        if wants("claims") { patron["claims"] = .integer(count(upTo: 100)) }
        if wants("holds", otherwise: 0.3) { patron["holds"] = .integer(count(upTo: 200)) }
        if wants("language", otherwise: 0.02) { patron["language"] = .string(language()) }
        if wants("home_branch", otherwise: 0.1) { patron["home_branch"] = .string(branch()) }
        let mayRenew = point == .expiry ? 0.4 : 0.05
        if wants("expires_on", otherwise: mayRenew), let ends = try? moment.today.adding(days: count(upTo: 400)) {
            patron["expires_on"] = .string(ends.description)
        }
        // Who is suspended, or blocked from it, does not come so far as to be asked about a title.
        let lends = point == .checkout || point == .due
        if !lends, wants("suspended_until"), let ends = try? moment.today.adding(days: count(upTo: 60)) {
            patron["suspended_until"] = .string(ends.description)
        }
        if wants("blocks", otherwise: 0.01) {
            let actions: JSON = lends || random.chance(0.7) ? [point == .hold ? "renew" : "hold"] : .null
            patron["blocks"] = [["kind": .string(text("kind")), "actions": actions]]
        }
        let extra = extra(of: .patron)
        if !extra.isEmpty { patron["extra"] = .object(extra) }
        return patron
    }

    /// Close to an age that the policy names; nothing now and then.
    private mutating func birthDate(at moment: CaseMoment) -> JSON? {
        guard random.chance(0.8) else { return nil }
        let days = random.pick([-1, 0, 1]) ?? Int64.random(in: -400...400, using: &random)
        let born = try? moment.today.adding(months: -12 * count(upTo: 110)).adding(days: days)
        return born.flatMap { $0 <= moment.today ? .string($0.description) : nil }
    }

    /// Open loans: of the kind that is asked for, so that limits are reached, or of several.
    mutating func addLoans(to object: inout JSONObject, _ moment: CaseMoment) {
        guard random.chance(0.6), var patron = object["patron"]?.objectValue else { return }
        let number = count(upTo: 60)
        let asked = object["copy"]?["item_type"]?.stringValue
        let branch = object["branch"]
        var loans: [JSON] = []
        for _ in 0..<number {
            let type = random.chance(0.8) ? asked ?? itemType() : itemType()
            var loan: JSONObject = ["item_type": .string(type)]
            if let branch { loan["branch"] = branch }
            if let due = try? moment.today.adding(days: Int64.random(in: -30...30, using: &random)) {
                loan["due_at"] = .string("\(due)T19:00:00")
            }
            addMarks(to: &loan)
            loans.append(.object(loan))
        }
        if random.chance(0.1), case .object(var first)? = loans.first {
            first["title"] = 1
            loans[0] = .object(first)
        }
        if !loans.isEmpty { patron["loans"] = .array(loans) }
        object["patron"] = .object(patron)
    }

    /// What limits may ask of a loan beside its kind: whether it is claimed to be returned, and where its copy stands.
    mutating func addMarks(to loan: inout JSONObject) {
        if vocabulary.looksAtClaims, random.chance(0.4) { loan["claimed"] = true }
        if let location = vocabulary.locations.randomElement(using: &random), random.chance(0.5) {
            loan["location"] = .string(location)
        }
    }

    mutating func addActor(to object: inout JSONObject, _ point: DecisionPoint) {
        let reads = vocabulary.reads.contains("actor") || !vocabulary.channels.isEmpty
        if random.chance(reads ? 0.6 : 0.05) {
            let channel = random.pick(vocabulary.channels + ["desk", "self", "web", "job"]) ?? "desk"
            let isKnown = ActorFacts.Channel(rawValue: channel) != nil
            let role = ["desk": "staff", "job": "job"][channel] ?? "patron"
            object["actor"] = [
                "role": .string(random.chance(0.1) ? "admin" : role), "channel": .string(isKnown ? channel : "web"),
            ]
        }
        if vocabulary.branches.count > 1, random.chance(0.7) { object["branch"] = .string(branch()) }
    }

    mutating func title(_ point: DecisionPoint) -> JSON? {
        guard point != .request, point != .price, point != .expiry else { return nil }
        if point == .publish, random.chance(0.4) { return .null }
        var title: JSONObject = [:]
        for field in ["genres", "courses"] where wants(field) { title[field] = texts(field) }
        if wants("copies") || wants("available") {
            let copies = max(1, count(upTo: 300))
            title["copies"] = .integer(copies)
            title["available"] = .integer(min(copies, count(upTo: 300)))
        }
        if wants("holds_waiting", otherwise: 0.1) { title["holds_waiting"] = .integer(count(upTo: 200)) }
        if wants("holds_for_copy") { title["holds_for_copy"] = .integer(count(upTo: 5)) }
        let extra = extra(of: .title)
        if !extra.isEmpty { title["extra"] = .object(extra) }
        return title.isEmpty ? nil : .object(title)
    }

    mutating func copy(_ point: DecisionPoint, _ moment: CaseMoment) -> JSON? {
        switch point {
        case .request, .price, .publish, .expiry: return nil
        case .checkout, .due, .hold:
            // A title may have no copy at all.
            if random.chance(0.04) { return .null }
        default: break
        }
        var copy: JSONObject = ["item_type": .string(itemType())]
        if vocabulary.branches.count > 1, random.chance(0.5) { copy["branch"] = .string(branch()) }
        if wants("replacement_price", otherwise: 0.3) { copy["replacement_price"] = amount() }
        let mayHaveLocation = !vocabulary.locations.isEmpty || vocabulary.reads.contains("location")
        if mayHaveLocation, random.chance(0.7) {
            copy["location"] = .string(random.pick(vocabulary.locations) ?? text("location"))
        }
        if vocabulary.reads.contains("acquired_on"), wants("acquired_on"),
            let day = try? moment.today.adding(days: -count(upTo: 400))
        {
            copy["acquired_on"] = .string(day.description)
        }
        if point == .checkout, wants("status") {
            copy["status"] = .string(random.pick(["available", "on_loan", "on_hold_shelf"]) ?? "available")
        }
        let extra = extra(of: .copy)
        if !extra.isEmpty { copy["extra"] = .object(extra) }
        return .object(copy)
    }

    mutating func addRequest(to object: inout JSONObject, _ point: DecisionPoint, _ moment: CaseMoment) {
        switch point {
        case .request:
            let size = max(1, count(upTo: 30))
            object["request"] = ["titles": .array((1...size).map { .integer($0) })]
        case .checkout, .due:
            if vocabulary.reads.contains("request") || random.chance(0.1) {
                var request: JSONObject = ["size": .integer(max(1, count(upTo: 30)))]
                if random.chance(0.3) { request["granted"] = .integer(count(upTo: 10)) }
                if wants("on_site", otherwise: 0.3) { request["on_site"] = true }
                if vocabulary.reads.contains("wanted_until"), wants("wanted_until"),
                    let day = try? moment.today.adding(days: count(upTo: 60))
                {
                    request["wanted_until"] = .string(day.description)
                }
                object["request"] = .object(request)
            }
        case .hold:
            var hold: JSONObject = [:]
            if wants("placed_today", otherwise: 0.3) { hold["placed_today"] = .integer(count(upTo: 60)) }
            if wants("at_pickup") { hold["at_pickup"] = .integer(count(upTo: 60)) }
            addHeldTypes(to: &hold)
            if wants("position") { hold["position"] = .integer(max(1, count(upTo: 60))) }
            if wants("for_copy") { hold["for_copy"] = true }
            if !hold.isEmpty { object["hold"] = .object(hold) }
        default: break
        }
    }

    // MARK: - The market

    mutating func addMarket(to object: inout JSONObject, _ point: DecisionPoint) {
        switch point {
        case .publish:
            if vocabulary.reads.contains("suggestion"), random.chance(0.5) {
                object["suggestion"] = .object(suggestion())
            } else {
                object["listing"] = .object(listing())
            }
        case .price where random.chance(0.8):
            object["lines"] = .array((0..<Int.random(in: 1...3, using: &random)).map { _ in .object(line()) })
        case .price:
            object["loan"] = [:]
        case .notify:
            let events = NotifyEvent.allCases.map(\.rawValue)
            object["event"] = .string(random.pick(events) ?? "hold_ready")
        default: break
        }
    }

    private mutating func listing() -> JSONObject {
        var listing: JSONObject = ["kind": .string(random.pick(Listing.Kind.allCases)?.rawValue ?? "sell")]
        if wants("price", otherwise: 0.5) { listing["price"] = amount() }
        if wants("quantity") { listing["quantity"] = .integer(max(1, count(upTo: 100))) }
        if wants("others") { listing["others"] = .integer(count()) }
        if wants("picture") { listing["picture"] = true }
        for field in ["condition", "edition"] where wants(field) { listing[field] = .string(text(field)) }
        return listing
    }

    private mutating func suggestion() -> JSONObject {
        var suggestion: JSONObject = [:]
        if random.chance(0.5) { suggestion["isbn"] = true }
        if wants("courses") { suggestion["courses"] = texts("courses") }
        if wants("college") { suggestion["college"] = .string(text("college")) }
        if wants("others") { suggestion["others"] = .integer(count(upTo: 100)) }
        return suggestion
    }

    private mutating func line() -> JSONObject {
        var line: JSONObject = ["kind": .string(random.pick(["buy", "rent", "loan"]) ?? "buy"), "price": amount()]
        if random.chance(0.4) { line["quantity"] = .integer(max(1, count(upTo: 100))) }
        if line["kind"] == "rent", random.chance(0.6) { line["periods"] = .integer(max(1, count(upTo: 100))) }
        if wants("seller_category") { line["seller_category"] = .string(category()) }
        if wants("seller") { line["seller"] = .integer(max(1, count(upTo: 100))) }
        return line
    }
}
