import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let feesDebtors = APIFunction(
        "debtors", "Lists the patrons who owe something, those who owe most first.",
        .named(
            "query",
            [
                .optional("least", .money, "only those who owe so much"),
                .optional("category", .reference(.category), "only patrons of this category"),
            ] + APIParameter.part(100)),
        returns: .value(.list(.record("debtor"))), route: .init(.get, "/debtors", .staff),
        examples: APIExample("fees.debtors{}[1].patron.username, fees.debtors{}[1].owed", #""bob", 2.50 EUR"#),
        APIExample(#"#fees.debtors{ least = "5.00" }"#, "0")
    ) { call in
        let least: Money? = call.arguments["least"]
        let category = call.optionalCode("category")
        return try call.read {
            [APIRecord.debtor.list(try $0.fees.debtors(least: least, category: category, call.part(100)))]
        }
    }

    static let feesDebtTotal = APIFunction(
        "debt_total", "Says how many patrons owe something, and what they owe together.",
        .named("query", .optional("category", .reference(.category), "only patrons of this category")),
        returns: .value(.record("debt_total")), route: .init(.get, "/debtors/total", .staff),
        examples: APIExample("fees.debt_total{}.owed", "2.50 EUR")
    ) { call in
        let category = call.optionalCode("category")
        return try call.read { [APIRecord.debtTotal.table(try $0.fees.debtTotal(category: category))] }
    }
}
