import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let statsByHour = APIFunction(
        "by_hour", "Counts loans and returns by weekday and hour, in the order of the week.",
        details:
            "Hours are those of the library's clock. Imported history is left out: other systems rarely know the hour.",
        .named("query", span + [.optional("branch", .text(maximum: 200), "only what was lent there, by its code")]),
        returns: .value(.list(.record("hour_of_week"))),
        route: .init(.get, "/statistics/hours", .staff, group: "statistics"),
        examples: APIExample("stats.by_hour{}[1].weekday, stats.by_hour{}[1].hour", "2, 10")
    ) { call in
        let (from, to) = (call.start("from"), try call.end("to"))
        let branch: String? = call.arguments["branch"]
        return try call.read {
            [APIRecord.hourOfWeek.list(try $0.statistics.byHour(from: from, to: to, branch: branch))]
        }
    }

    static let statsNewPatrons = APIFunction(
        "new_patrons", "Counts the patrons who joined by month, by the category that they have now.",
        details: "Patrons who were imported joined on the day of the import.",
        .named("query", span + APIParameter.part(10_000)),
        returns: .value(.list(.record("month_of_patrons"))),
        route: .init(.get, "/statistics/new-patrons", .staff, group: "statistics"),
        examples: APIExample("stats.new_patrons{}[1].month, stats.new_patrons{}[1].category", #""2026-12", "staff""#)
    ) { call in
        let (from, to) = (call.start("from"), try call.end("to"))
        return try call.read {
            [APIRecord.monthOfPatrons.list(try $0.statistics.newPatrons(from: from, to: to, call.part(10_000)))]
        }
    }
}
