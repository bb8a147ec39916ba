import Circulation
import Scripting
import Testing

@Suite("The lists of the API")
struct APIListTests {
    /// Lists that do not grow, and why.
    private static let bounded: [String: Comment] = [
        "webhooks.list": "there are a hundred subscriptions at most",
        "calendar.closures": "what a branch declares",
        "cart.items": "a cart has a most of its own",
        "catalogue.add_copies": "as many as were asked for",
        "holds.arrange": "as many as were put in order",
        "json.array": "as many as it was given",
        "loans.explain": "the decisions of one loan: one when it was made and one per renewal",
        "market.price_history": "twelve months",
        "patrons.called": "those of one name, among the first thousand that a search finds",
        "patrons.favourites": "a patron has a most of their own",
        "lists.of": "a patron has a most of their own",
        "patrons.links": "guardians, dependents and a household have a most of their own",
        "patrons.unblock": "what was lifted by it",
        "stats.by_hour": "the hours of a week",
        "catalogue.facets": "'values' says how many of each kind",
        "stats.query": "a statement ends at a number of rows of its own",
    ]

    private static var lists: [APIFunction] {
        LuaAPI.modules.flatMap(\.functions).filter { function in
            guard case .list? = function.result.type else { return false }
            if case .each = function.result { return false }
            return true
        }
    }

    private static func members(of function: APIFunction) -> [String: APIParameter] {
        let members = function.namedArguments ?? function.parameters
        return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0) })
    }

    @Test("every list that grows says how much of it is answered, with a usual size, and from where on")
    func declared() {
        let lists = Self.lists
        #expect(lists.count > 25)
        for function in lists where Self.bounded[function.fullName] == nil {
            let members = Self.members(of: function)
            let (usual, name) = (members["limit"]?.standard.flatMap { Int($0) }, function.fullName)
            #expect(usual.map { 1...10_000 ~= $0 } == true, "\(name)")
            #expect(members["offset"]?.standard == "0", "\(name)")
        }
        for (name, reason) in Self.bounded {
            #expect(lists.contains { $0.fullName == name }, reason)
        }
    }

    /// Something of everything, twice.
    private static let furniture = """
        loans.checkout{ patron = "ada", isbn = "9780261103573" }
        loans.checkout{ patron = "bob", isbn = "9780261103573" }
        for _, isbn in ipairs{ "9780261103344", "9780441013593" } do
            for _, patron in ipairs{ "bob", "carol", "ada" } do holds.place{ patron = patron, title = isbn } end
        end
        holds.place{ patron = "bob", title = "9780141439518" }
        catalogue.update("9780141439518", { recommended = true })
        catalogue.add{ title = "Emma" }
        for i, isbn in ipairs{ "9780261103344", "9780441013593" } do
            catalogue.update(isbn, { series = "A", series_number = tostring(i) })
        end
        for i = 1, 2 do
            local own = market.publish{ seller = "ada", title = "9780441013593", kind = "sell", price = "4.50" }
            messages.write{ patron = "bob", listing = own, text = "Is it yours?" }
            messages.write{ patron = "ada", conversation = i, text = "Yes." }
            fees.charge{ patron = "ada", amount = "1.00", label = "Card " .. i }
            patrons.block{ patron = "ada", kind = "note", reason = "Look " .. i, actions = { "self" } }
            notifications.send{ patron = "ada", channel = "email", subject = "S" .. i, body = "B", key = "k" .. i }
            ratings.rate{ patron = "ada", title = i == 1 and "9780441013593" or "9780141439518", stars = i, review = "R" }
            ratings.rate{ patron = "bob", title = "9780441013593", stars = i, review = "B" .. i }
            lists.make{ patron = "ada", name = "List " .. i }
            lists.add_title{ patron = "ada", list = 1, title = i == 1 and "9780441013593" or "9780141439518" }
            ratings.report{ patron = "carol", rating = i }
            suggestions.submit{ patron = "ada", name = "Optics " .. i }
            local l = market.publish{ title = "9780441013593", kind = "sell", price = "4.50", quantity = 3 }
            market.buy{ patron = "ada", listing = l }
            local r = market.publish{ title = "9780441013593", kind = "rent", price = "4.50", quantity = 3, period = days(7) }
            market.rent{ patron = "ada", listing = r, ends_on = date "2027-01-07" }
        end
        return true
        """

    /// What a list is asked with beside its part; where several rows come, that of the sample's.
    private static func arguments(of function: APIFunction) -> [String] {
        let given = [
            "patron": #""ada""#, "title": #""9780441013593""#, "isbn": #""9780441013593""#, "query": #""a""#,
            "group": #""title""#, "conversation": "1", "list": "1", "name": #""a""#, "as_of": #"date "2027-06-01""#,
        ]
        return (function.namedArguments ?? function.parameters)
            .filter { $0.isRequired || $0.name == "as_of" }.compactMap { parameter in
                var value = given[parameter.name]
                if case .choice(let words) = parameter.type, !words.contains("title") {
                    value = words.first.map { "\"\($0)\"" }
                }
                return value.map { function.namedArguments == nil ? $0 : "\(parameter.name) = \($0)" }
            }
    }

    private static func call(_ function: APIFunction, _ limit: String, _ offset: String) -> String {
        let given = arguments(of: function)
        guard function.namedArguments == nil else {
            let named = given + ["limit = \(limit)", "offset = \(offset)"]
            return "\(function.fullName){ \(named.joined(separator: ", ")) }"
        }
        let between = function.fullName == "patrons.blocks" ? ["nil"] : []
        return "\(function.fullName)(\((given + between + [limit, offset]).joined(separator: ", ")))"
    }

    @Test("the parts of a list, one behind the other, are the list")
    func parts() throws {
        let evaluator = try APISample().evaluator()
        #expect(APISample.text(of: evaluator.evaluate(Self.furniture)) == "true")
        var several = 0
        for function in Self.lists where Self.bounded[function.fullName] == nil {
            let text = """
                local function same(a, b)
                    if type(a) ~= "table" or type(b) ~= "table" then return tostring(a) == tostring(b) end
                    for name, value in pairs(a) do if not same(value, b[name]) then return false end end
                    return true
                end
                local all = \(Self.call(function, "100", "0"))
                for place = 0, #all do
                    local part = \(Self.call(function, "1", "place"))
                    if place == #all then assert(#part == 0, "rows behind the last one")
                    else assert(#part == 1 and same(part[1], all[place + 1]), "row " .. place .. " is another") end
                end
                return #all
                """
            let count = APISample.text(of: evaluator.evaluate(text))
            #expect(Int(count) != nil, "\(function.fullName): \(count)")
            if Int(count) ?? 0 > 1 { several += 1 }
        }
        #expect(several > 18)
    }
}
