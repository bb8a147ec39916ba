import Circulation
import Desk
import TextFormats

extension FactPlan {
    /// How many holds a patron may place, and how many they have.
    func readHoldTerms() throws {
        for key in ["max_holds", "category_max", "max_requests"] where given.has(key) {
            if let most = try given.number(key) { policy.everything["holds"] = "\(most)" }
        }
        if let most = try given.number("max_holds_per_day") { policy.everything["holds_per_day"] = "\(most)" }
        if reading.operation.names("hold") || reading.operation.names("request") {
            if given.object["current"]?.integerValue != nil { try holdBefore(Int(given.count("current") ?? 0)) }
            if let count = try given.count("placed_today") { holdToday(Int(count)) }
        }
        if let days = try given.number("pickup_delay_days") { policy.everything["hold_shelf"] = "days(\(days))" }
        if let period = try given.period("shelf_expiry") { policy.everything["hold_shelf"] = LuaText.period(period) }
        guard let rule = try given.text("hold_rule") else { return }
        guard let place = rule.components(between: "pickup at ", and: " forbidden") else {
            throw given.unreadable("hold_rule")
        }
        branches.append(place)
        policy.add(
            to: "hold", "if case.hold.pickup_branch == \(LuaText.quoted(place)) then",
            "    return deny(\"pickup\", \"Holds are not picked up there.\")", "end")
    }

    /// Requests at one library, and at all of them.
    func readRequestLimits() throws {
        var most = try given.number("per_library")
        let exceptions = try given.part("library_exceptions")
        for library in exceptions?.object.keys ?? [] {
            branches.append(library)
            let own = try exceptions?.number(library)
            if library == branch { most = own ?? most }
        }
        if let most {
            policy.add(
                to: "hold", "if case.hold.at_pickup >= \(most) then",
                "    return deny(\"library_requests\", \"No more holds are allowed at this library.\")", "end")
        }
        if let most = try given.number("global") { policy.everything["holds"] = "\(most)" }
        if let here = try given.count("current_requests_at_library") { try holdBefore(Int(here), at: branch) }
        if let total = try given.count("current_requests_total") ?? given.count("current_requests") {
            let here = given.object["current_requests_at_library"]?.integerValue ?? 0
            branches.append("elsewhere")
            try holdBefore(Int(max(0, total - here)), at: "elsewhere")
        }
    }

    private func holdBefore(_ count: Int, at branch: String? = nil) throws {
        guard count > 0 else { return }
        let number = before.count
        before.append { library, _ in try library.holdSeveral("held\(number)", count, at: branch) }
    }

    private func holdToday(_ count: Int) {
        guard count > 0 else { return }
        after.append { library, _ in
            // Under a policy that lets them; then back to the fact's own.
            try library.activate(Self.everythingGoes)
            try library.holdSeveral("today", count, at: nil)
            try library.activate(self.policy)
        }
    }
}

extension FactLibrary {
    /// Holds of the reader on as many titles.
    func holdSeveral(_ name: String, _ count: Int, at branch: String?) throws {
        for number in 1...count {
            let title = try addTitle("\(name)-\(number)")
            _ = try placeHold(.title(.id(title.id)), pickup: branch).done("a hold beforehand")
        }
    }

    func placeHold(
        _ wanted: HoldRequest.Wanted, by patron: String = FactLibrary.reader, pickup: String? = nil,
        expires: CivilDate? = nil
    ) throws -> Outcome<QueuedHold> {
        let outcome = try desk.write { session in
            try session.holds.place(
                HoldRequest(patron: .username(patron), wanted: wanted, pickupBranch: pickup, expiresOn: expires))
        }
        return try noted("\(patron) places a hold\(pickup.map { " for pickup at \($0)" } ?? "")", outcome) {
            "place \($0.position ?? 0)"
        }
    }
}

extension String {
    /// What stands between two texts.
    func components(between start: String, and end: String) -> String? {
        guard let from = firstRange(of: start), let to = self[from.upperBound...].firstRange(of: end) else {
            return nil
        }
        return String(self[from.upperBound..<to.lowerBound])
    }
}
