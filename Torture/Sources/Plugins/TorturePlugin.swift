/// The plugins of a tortured library: each counts, one writes as well, one sends as well.
enum TorturePlugin: String, CaseIterable {
    case counter, charger, sender

    /// The kinds of event that each of them handles.
    static let events: Set<String> = ["loan.made", "loan.returned", "loan.renewed"]

    var rights: [String] { self == .charger ? ["http", "fees.write"] : ["http"] }

    private var doing: String {
        switch self {
        case .counter: ""
        case .charger:
            """
            fees.charge { patron = event.patron.id, amount = money "0.01", label = "Counted", key = "c" .. event.sequence }
            """
        case .sender: "http.post { url = settings.hook .. \"in\", json = { event = event.sequence } }"
        }
    }

    /// A server hears who has which event in hand; a count that steps back, or twice, is an error.
    var source: String {
        let handlers = Self.events.sorted().map { "[\"\($0)\"] = function(event) handle(event) end" }
        return """
            local function handle(event)
                http.get { url = settings.hook .. "hand/\(rawValue)/" .. event.sequence }
                local last = state.get("last") or 0
                assert(event.sequence > last, "an event before the last one")
                state.set("last", event.sequence)
                \(doing)
                state.set("n", (state.get("n") or 0) + 1)
            end
            return plugin {
                api = 1, name = "\(rawValue)", version = "1", needs = { \(rights.map { "\"\($0)\"" }.joined(separator: ", ")) },
                settings = { hook = { type = "url", required = true } },
                on = { \(handlers.joined(separator: ", ")) },
            }
            """
    }
}
