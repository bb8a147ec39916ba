import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let stats = APIModule(
        "stats", "Counts over all loans, imported history included.",
        [
            .statsLoansBy, .statsTurnover, .statsNeverLent, .statsRarelyLent, .statsRarelyLentTotals, .statsHoldings,
            .statsCollection, .statsByHour, .statsNewPatrons, .statsFigures, .statsQuery,
        ])
}

extension APIFunction {
    static let span: [APIParameter] = [
        .optional("from", .instant, "at or after this moment"),
        .optional("to", .instant, "before this moment; a date counts whole"),
    ]

    fileprivate static let statsLoansBy = APIFunction(
        "loans_by", "Counts loans by day, month, branch and the like, in the order of the keys.",
        .named(
            "query",
            [
                .required("group", .choice(LoanGroup.allCases.map(\.rawValue)), "by what"),
                .optional(
                    "measure", .choice(LoanMeasure.allCases.map(\.rawValue)), "what is counted",
                    standard: "\"loans\""),
                .optional(
                    "rollup", .boolean, "by branch, category or item type: each counts those below it too",
                    standard: "false"),
            ] + span + APIParameter.part(10_000)),
        returns: .value(.list(.record("loan_count"))),
        route: .init(.get, "/statistics/loans", .staff, group: "statistics"),
        examples: APIExample(
            #"item_types.add{ code = "print", name = "Print" } item_types.update("book", { parent = "print" }) "#
                + #"return stats.loans_by{ group = "item_type", rollup = true }"#,
            #"{ { count = 3, key = "book" }, { count = 3, key = "print" } }"#),
        APIExample(#"stats.loans_by{ group = "month" }"#, #"{ { count = 3, key = "2026-12" } }"#),
        APIExample(#"stats.loans_by{ group = "year", to = "2026-01-01" }"#, "{}"),
        APIExample(
            #"loans.use_in_house("1001") return stats.loans_by{ group = "branch", measure = "in_house" }"#,
            #"{ { count = 1, key = "main" } }"#)
    ) { call in
        guard let group: LoanGroup = call.word("group") else { throw call.fault("'group' is missing") }
        let measure: LoanMeasure = call.word("measure") ?? .loans
        let (from, to) = (call.start("from"), try call.end("to"))
        let rollsUp = call.arguments["rollup"] ?? false
        return try call.read { session in
            let counts = try session.statistics.loans(
                by: group, measure: measure, from: from, to: to, rollsUp: rollsUp, call.part(10_000))
            return [APIRecord.loanCount.list(counts)]
        }
    }

    fileprivate static let statsTurnover = APIFunction(
        "turnover", "Lists titles by loans for each copy, the highest first.",
        .named("query", span + APIParameter.part(100)),
        returns: .value(.list(.record("lent_title"))),
        route: .init(.get, "/statistics/turnover", .staff, group: "statistics"),
        examples: APIExample("stats.turnover{ limit = 1 }[1].turnover", "1.0")
    ) { call in
        let (from, to) = (call.start("from"), try call.end("to"))
        return try call.read { session in
            let found = try session.statistics.turnover(from: from, to: to, call.part(100))
            return [
                APIRecord.lentTitle.list(
                    try found.map { title, loans, copies in
                        LentTitle(title: try session.counted(title), loans: loans, copies: copies)
                    })
            ]
        }
    }

    fileprivate static let statsNeverLent = APIFunction(
        "never_lent", "Lists titles with copies that were never lent, or not since a moment.",
        .named(
            "query",
            [.optional("since", .instant, "not lent at or after this moment; left out: never at all")]
                + APIParameter.part(100)),
        returns: .value(.list(.record("title"))),
        route: .init(.get, "/statistics/never-lent", .staff, group: "statistics"),
        examples: APIExample("#stats.never_lent{}", "2")
    ) { call in
        let since = call.start("since")
        return try call.read { session in
            let titles = try session.statistics.neverLent(since: since, call.part(100))
            return [APIRecord.title.list(try session.counted(titles))]
        }
    }
}
