import Circulation
import TextFormats

// The order of those who wait for a title, and what becomes of a copy that is set aside.
extension Translation {
    private static let ordinals = ["first", "second", "third", "fourth", "fifth", "sixth"]

    mutating func readQueue() throws {
        try readShelf()
        guard ["move", "cancel", "reorder", "list"].contains(where: { words.begins($0) }) else { return }
        var names: [String] = []
        var holds: [JSON] = []
        if let count = taken("holds_placed_in_order", "queue_size", "queue_length", as: \.integerValue) {
            names = (1...max(1, min(100, count))).map { "\($0)" }
        }
        var hasPage = false
        if let list = taken("queue", "holds", "waiting", "waiting_list", "hold_queue", "reserves", as: \.arrayValue) {
            for (index, entry) in list.enumerated() {
                let kind = entry["type"]?.stringValue ?? "hold"
                guard ["hold", "recall"].contains(kind) || (kind == "page" && index == 0) else {
                    throw NotExpressed("a \(kind) in a queue is not in the table")
                }
                hasPage = hasPage || kind == "page"
                names.append(entry.stringValue ?? entry["name"]?.stringValue ?? "\(index + 1)")
            }
        }
        if names.isEmpty { names = (1...6).map { "\($0)" } }
        for (index, name) in names.enumerated() {
            var hold: JSONObject = ["patron": .string(name), "title": "title"]
            // A page is for a copy that is there: it is taken from the shelf and set aside.
            if hasPage, index == 0 { (hold["on_shelf"], hold["placed"]) = (true, "now - 1 days") }
            holds.append(.object(hold))
        }
        set("holds", .array(holds))
        if !hasPage { set("loans", [["copy": "copy", "patron": "borrower"]]) }
        steps = try acts(names)
        try readPlaces(names)
    }

    private mutating func acts(_ names: [String]) throws -> [JSONObject] {
        func act(_ code: String, _ name: String, to place: Int? = nil) -> JSONObject {
            var step: JSONObject = ["op": .string(code), "patron": .string(name), "title": "title"]
            if let place { step["to"] = .integer(Int64(place)) }
            return step
        }
        if words.begins("list") { return [["op": "look", "title": "title"]] }
        if words.begins("cancel") {
            return try words.steps.map { step in
                guard let name = step.split(separator: " ").last.map(String.init), names.contains(name) else {
                    throw NotExpressed("nobody in the queue is meant by \"\(step)\"")
                }
                return act("cancel_hold", name)
            }
        }
        if words.begins("reorder") {
            if words.names("page") { return [act("move_hold", names[0], to: 2)] }
            let places = fact.operation.split { !$0.isNumber }.compactMap { Int($0) }
            guard places.count == names.count else {
                throw NotExpressed("the positions are not as many as those who wait")
            }
            return [
                [
                    "op": "arrange_holds", "title": "title", "places": .array(places.map { .integer(Int64($0)) }),
                ]
            ]
        }
        let who = taken("moved", as: \.stringValue) ?? "first in queue"
        let ordinal = who.split(separator: " ").first.map(String.init) ?? ""
        let index =
            names.firstIndex(of: who) ?? (ordinal == "last" ? names.count - 1 : Self.ordinals.firstIndex(of: ordinal))
        guard let index, names.indices.contains(index) else { throw NotExpressed("nobody in the queue is \"\(who)\"") }
        let plain = words.text.replacing(" the ", with: " ")
        let places = ["top": 1, "up": max(1, index), "down": min(names.count, index + 2), "bottom": names.count]
        guard
            let place = places[plain.split(separator: " ").last.map(String.init) ?? ""]
                ?? NumberWords.last(in: plain).map(Int.init)
        else { throw NotExpressed("where \"\(words.original)\" moves a hold to is not known") }
        return [act("move_hold", names[index], to: place)]
    }

    /// `priority_of_C`, and the places of all.
    private mutating func readPlaces(_ names: [String]) throws {
        var looks: [(String, JSON)] = []
        for name in names {
            if let place = taken("priority_of_\(name)", "position_of_\(name)", from: \.expect) {
                looks.append((name, place))
            }
        }
        if let places = taken("priorities", "positions", as: \.arrayValue, from: \.expect) {
            looks += zip(names, places).map { ($0, $1) }
            if places.count != names.count { throw NotExpressed("the places are not as many as those who wait") }
        }
        if !looks.isEmpty { subject = subject ?? steps.count - 1 }
        for (name, place) in looks {
            steps.append(["op": "look", "patron": .string(name), "title": "title", "expect": ["place": place]])
        }
    }

    private mutating func readShelf() throws {
        if let mode = taken("fee_mode", as: \.stringValue) {
            switch mode.replacing("_", with: " ") {
            case "any time is collected": break
            case "any time is placed", "not always":
                let fee = taken("hold_fee", as: TranslationReading.amount)
                if code == "place_hold", fee?.isPositive == true {
                    throw NotExpressed("no policy charges when a hold is placed")
                }
            default: throw NotExpressed("what given.fee_mode means by \(mode) is not in the table")
            }
        }
        if let rule = taken("hold_rule", as: \.stringValue) {
            guard let place = rule.components(between: "pickup at ", and: " forbidden") else {
                throw NotExpressed("what given.hold_rule means by \(rule) is not in the table")
            }
            set("pickup_refused", [.string(place)])
        }
        if words.begins("check in again") { return try readSecondScan() }
        if let state = taken("hold_status", "hold_state", "request_status", as: \.stringValue)?.lowercased() {
            let pickup = taken("pickup_branch", "pickup_library") ?? "P"
            guard ["in transit", "transit"].contains(state) else {
                throw NotExpressed("what given.hold_status means by \(state) is not in the table")
            }
            given["holds"] = [["patron": "reader", "title": "title", "pickup": pickup]]
            given["loans"] = Optional<JSON>.none
            if steps.last?["branch"] == nil { steps[steps.count - 1]["branch"] = pickup }
            steps.insert(["op": "return", "branch": .string(FactLibrary.branch)], at: 0)
        }
        if let ends = taken("request_expires", "hold_expires_on", "reserve_expires") {
            guard let moment = ends.stringValue.flatMap(TranslationReading.moment) else {
                throw NotExpressed("given.request_expires is no day")
            }
            set("holds", [["patron": "reader", "title": "title", "placed": "now - 2 days", "expires": moment]])
            set("loans", [["copy": "copy", "patron": "borrower", "lent": "now - 3 days", "due": "now + 2 days"]])
        }
    }

    /// A second scan at the pickup branch. The fact calls the end of the shelf time by a letter.
    private mutating func readSecondScan() throws {
        let name = taken("expires")
        if let state = taken("state", as: \.stringValue), !state.contains("awaiting pickup") {
            throw NotExpressed("what given.state means by \(state) is not in the table")
        }
        set("rule.hold_shelf", "168 hours")
        given["loans"] = Optional<JSON>.none
        set("holds", [["patron": "reader", "title": "title", "placed": "now", "on_shelf": true]])
        steps = [["op": "look"], ["op": "return", "at": "now + 1 days", "expect": [:]]]
        steps[0]["expect"] = ["shelf_until": "now + 7 days"]
        if let found = taken("expires", from: \.expect) {
            guard found == name else { throw NotExpressed("the shelf time has an end that the fact does not name") }
            expect["shelf_until"] = "now + 7 days"
        }
        guard let changed = taken("changed", from: \.expect) else { return }
        guard changed == false else { throw NotExpressed("what changes of the hold is not said") }
        expect["shelf_until"] = "now + 7 days"
    }
}
