import Circulation
import Desk
import Market
import Scripting
import Storage

/// The library that is tortured: few copies of what many want, so that requests meet.
enum TortureLibrary {
    static let patrons = 48
    static let titles = 60
    /// Those that a third of all requests ask for: they have one or two copies.
    static let wantedTitles = 6
    /// How many loans a patron may have at once, by category.
    static let limits = ["public": 4, "staff": 8]

    /// Limits as a row and as a function, so that both are asked under load; loans that fall due while the torture lasts.
    static let policy = """
        return policy {
            api = 1,
            name = "torture",
            limits = {
                { category = "staff", max = 8 },
                { category = "public", max = 4 },
            },
            rules = {
                { category = "staff", loan = days(7), renewals = 3, holds = 6 },
                { loan = days(3), renewals = 2, fine = money "0.10", per = days(1), fine_cap = money "2.00", holds = 4 },
            },
            request = function(case)
                local most = case.patron.category == "staff" and 8 or 4
                if #case.patron.loans + case.request.size > most then
                    return deny("limit", "No more than " .. most .. " loans at once.")
                end
            end,
        }
        """

    static func username(_ number: Int) -> String { "reader\(number)" }

    static func category(_ number: Int) -> String { number % 8 == 0 ? "staff" : "public" }

    static func isbn(_ number: Int) throws -> ISBN {
        let digits = Array(String(978_000_000_000 + number)).compactMap(\.wholeNumberValue)
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        return try ISBN(digits.map(String.init).joined() + String((10 - sum % 10) % 10))
    }

    private static func copies(_ title: Int) -> Int { title < wantedTitles ? 1 + title % 2 : 3 }

    static func desk(_ store: any Store, _ openedAt: Int64, _ actor: Actor = .desk) -> Desk {
        Desk(
            store: store, policies: LuaPolicyLoader(), clock: TortureClock(openedAt: openedAt), actor: actor,
            extensions: [MarketExtension()])
    }

    /// Fills a store that has nothing in it.
    ///
    /// - Returns: the sequence of the last event.
    static func fill(_ desk: Desk) throws -> Int64 {
        try desk.prepare()
        return try desk.write { session in
            for (code, name) in [("public", "Public"), ("staff", "Staff")] {
                _ = try session.settings.addCategory(Category(code: code, name: name)).get()
            }
            _ = try session.policies.activate(try ParsedPolicy(name: "torture.lua", source: policy).bundle).get()
            for number in 0..<titles {
                let title = try session.catalogue.add(Title(isbn: try isbn(number), title: "Volume \(number)")).get()
                _ = try session.catalogue.addCopies(of: .id(title.id), count: copies(number)).get()
            }
            for number in 0..<patrons {
                _ = try session.patrons.add(
                    Patron(
                        username: username(number), name: "Given \(number)", surname: "Family \(number)",
                        category: category(number), homeBranch: "main")
                ).get()
            }
            return try session.events.last()
        }
    }
}

extension Outcome {
    fileprivate func get() throws -> Value {
        switch self {
        case .done(let value): value
        case .refused(let refusal): throw TortureFailure("the library could not be made: \(refusal.message)")
        }
    }
}
