import Desk
import LuaRuntime

extension APIFunction {
    static let holdsArrange = APIFunction(
        "arrange", "Puts all who wait for a title in a new order, in one step.",
        details:
            "Either `order` is given, the holds from the first to the last, or `places`, which says the place of each. All that "
            + "wait must be named, each once: with `queue_changed` it is refused where someone joined or left since. "
            + "`holds.move` moves one hold alone.",
        .named(
            "queue", .required("title", .reference(.title)),
            .optional("order", .list(.reference(.hold)), "those who wait, the first in line first"),
            .optional(
                "places", .list(.fields([.required("hold", .reference(.hold)), .required("position", .count)])),
                "the place of each who waits, 1 being the first")),
        returns: .written(.list(.record("hold"))), refusals: ["unknown_title", "places", "queue_changed"],
        needs: .loansWrite, route: .init(.put, "/titles/{title}/holds", .staff),
        examples: APIExample(
            #"local first = holds.place{ patron = "bob", title = "9780441013593" } "#
                + #"local second = holds.place{ patron = "carol", title = "9780441013593" } "#
                + #"return holds.arrange{ title = "9780441013593", order = { second, first } }[1].patron == second.patron"#,
            "true"),
        APIExample(
            #"select(2, holds.arrange{ title = "9780441013593", order = { 999999 } }).code"#, #""queue_changed""#)
    ) { call in
        let key = try call.titleKey("title")
        let places = try call.holdPlaces()
        return try call.write { session in
            call.answer(try session.holds.arrange(key, places)) { APIRecord.hold.list($0) }
        }
    }
}

extension APICall {
    fileprivate func holdPlaces() throws -> [HoldPlace] {
        guard arguments.has("order") != arguments.has("places") else {
            throw fault("either 'order' or 'places' is needed")
        }
        if let order: [RecordKey] = arguments["order"] {
            return try order.enumerated().map { HoldPlace(hold: try holdID($1), position: Int64($0) + 1) }
        }
        let places: [APIArguments] = try arguments.need("places")
        return try places.map { HoldPlace(hold: try holdID(try $0.need("hold")), position: try $0.need("position")) }
    }

    private func holdID(_ key: RecordKey) throws -> Int64 {
        guard case .id(let id) = key else { throw fault("a hold is named by its id") }
        return id
    }
}
