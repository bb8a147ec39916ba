import Circulation
import Languages
import Scripting
import TextFormats

/// Holds as the patron's own page and that of staff show them, with what can be done about them.
enum HoldForms {
    /// The forms of a hold.
    ///
    /// - Parameters:
    ///   - path: of the page with the hold's forms; `{hold}` follows.
    ///   - back: the page that the browser shows next.
    static func pages(
        below path: String, _ access: Page.Access, back: @escaping @Sendable (PageCall) -> String
    ) -> [Page] {
        /// The hold is the last that the path names.
        @Sendable func act(
            _ verb: Route.Verb, _ what: String, _ members: JSONObject, _ call: PageCall,
            saying: (_ name: String, _ hold: JSON) -> String
        ) throws -> PageOutcome {
            try call.act(verb, "/holds/\(call.value(call.values.count - 1))\(what)", members, back: back(call)) {
                hold in
                let name = try call.titleName(hold["title"]?.integerValue).map(PageWords.safe) ?? say("The title")
                return saying(name, hold)
            }
        }
        return [
            Page.form("\(path)/{hold}/cancel", access) { call in
                try act(.delete, "", [:], call) { name, _ in say("\(name): the hold has been cancelled.") }
            },
            Page.form("\(path)/{hold}/pause", access) { call in
                var members = JSONObject()
                if let last = call.form.text("suspended_until") { members["suspended_until"] = .string(last) }
                return try act(.post, "/suspend", members, call) { name, hold in
                    guard let last = pause(of: hold, call), last != .latest else {
                        return say("\(name): the hold is paused until it is resumed.")
                    }
                    return say("\(name): the hold is paused until \(PageWords.words(last)).")
                }
            },
            Page.form("\(path)/{hold}/resume", access) { call in
                try act(.post, "/resume", [:], call) { name, _ in say("\(name): the hold is active again.") }
            },
        ]
    }

    /// What a page shows of a hold.
    ///
    /// - Parameter path: as for ``pages(below:_:back:)``, with what it names filled in.
    static func shown(_ hold: JSON, below path: String, _ call: PageCall) throws -> [String: Any] {
        let title = hold["title"]?.integerValue
        let branch = PageWords.safe(try call.branchName(hold["pickup_branch"]?.stringValue) ?? "")
        let id = hold["id"]?.integerValue ?? 0
        var fields: [String: Any] = [
            "id": id, "path": "\(path)/\(id)", "branch": branch,
            "name": try call.titleName(title).map(PageWords.safe) ?? say("A title removed from the catalogue"),
        ]
        if let title { fields["link"] = TitleFields.link(title) }
        switch hold["state"]?.stringValue {
        case "shelf":
            fields["isReady"] = true
            fields["state"] = say("Ready for pickup")
            fields["until"] = call.words.moment(hold["shelf_until"])
        case "transit": fields["state"] = say("In transit")
        default:
            let state =
                hold["position"]?.integerValue.map { say("Waiting, number \($0) in the queue") } ?? say("Waiting")
            let pause = pause(of: hold, call)
            fields["state"] = pause.map { words(of: state, pausedUntil: $0) } ?? state
            fields["paused"] = pause.map { _ in true }
            fields["mayPause"] = pause == nil
        }
        return fields
    }

    /// Until when a hold is passed over; nil where it is not, or not any more.
    private static func pause(of hold: JSON, _ call: PageCall) -> CivilDate? {
        guard let last = hold["suspended_until"]?.stringValue.flatMap({ try? CivilDate(parsing: $0) }),
            last >= call.library.zone.date(of: call.now)
        else { return nil }
        return last
    }

    private static func words(of state: String, pausedUntil last: CivilDate) -> String {
        last == .latest
            ? say("\(state), paused until it is resumed") : say("\(state), paused until \(PageWords.words(last))")
    }
}
