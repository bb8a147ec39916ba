import Circulation
import LuaRuntime

extension APIModule {
    /// What stands in no module.
    static let globals = APIModule(
        "", "Values, and what a script says about itself.",
        [
            .needs, .help, .today, .now, .date, .money, .percent,
            .period(
                "days", .days, "Steps of the calendar at the same wall clock.", "date \"2026-12-24\" + days(14)",
                "2027-01-07"),
            .period(
                "weeks", .weeks, "Steps of the calendar, seven days each.", "date \"2026-12-24\" + weeks(1)",
                "2026-12-31"),
            .period(
                "months", .months, "Steps of the calendar; the 31st becomes the last day of a shorter month.",
                "date \"2027-01-31\" + months(1)", "2027-02-28"),
            .period(
                "years", .months, each: 12, "Steps of the calendar, twelve months each.",
                "date \"2028-02-29\" + years(1)", "2029-02-28"),
            .period("hours", .hours, "Elapsed time.", "hours(3)", "3 hours"),
            .period("minutes", .minutes, "Elapsed time.", "minutes(30)", "30 minutes"),
            .period(
                "open_days", .openDays, "Days on which the branch is open.", "date \"2026-12-24\" + open_days(1)",
                "2026-12-28"),
            .progress,
        ], callers: .everyone)
}

extension APIFunction {
    fileprivate static let needs = APIFunction(
        "needs", "Says what the script may do. It must be the first statement, with plain strings.",
        details:
            "It is read before anything runs: if something is not granted (`--allow`), nothing runs at all. There are "
            + Capability.grantable.map { "`\($0.rawValue)`" }.joined(separator: ", ") + ".",
        [.required("capabilities", .any, "a list of capabilities, or one")],
        returns: .nothing, examples: APIExample(#"needs { "loans.write" } return patrons.count()"#, "3")
    ) { call in
        // Asked for its arguments only, the script was granted nothing and comes no further than their declaration.
        if call.script.parameters.wantsHelp { return [] }
        let given: LuaValue = try call.arguments.need("capabilities")
        let names = given.stringValue.map { [LuaValue.string($0)] } ?? given.tableValue?.array ?? []
        for name in names {
            guard case .string(let text) = name else { throw call.fault("takes a list of capabilities") }
            let capability = try Capability.named(text)
            do throws(CapabilityError) {
                try call.script.check(capability, for: "needs")
            } catch {
                let isGranted = call.script.permissions.granted.contains(capability)
                throw isGranted ? CapabilityError.misplaced() : .notGranted([capability])
            }
        }
        return []
    }

    fileprivate static let help = APIFunction(
        "help",
        "Prints what there is to know about a module, a function or a type of record; without a name, an overview.",
        [.optional("name", .any, "such as \"loans\", \"loans.checkout\", loans.checkout or \"patron\"")],
        returns: .nothing,
        examples: APIExample(
            #"help("months")"#,
            shows: """
                months(count)
                  Steps of the calendar; the 31st becomes the last day of a shorter month.
                  count: integer
                  gives: period
                  example:
                      date "2027-01-31" + months(1)  --> 2027-02-28
                """)
    ) { call in
        call.script.printLine(try call.helpText())
        return []
    }

    fileprivate static let today = APIFunction(
        "today", "Gives today's date at the branch.", [], returns: .value(.date),
        examples: APIExample("today()", "2026-12-24")
    ) { [.date($0.script.today)] }

    fileprivate static let now = APIFunction(
        "now", "Gives the moment it is; within a transaction it stands still.", [], returns: .value(.instant),
        examples: APIExample("now()", "2026-12-24T10:00:00Z")
    ) { [.instant($0.script.now)] }

    fileprivate static let date = APIFunction(
        "date", "Makes a date of text, or takes the date of an instant at the branch.",
        details:
            "A date has the fields `year`, `month`, `day`, `weekday` (1 is Monday) and `yearday`; two dates subtract to "
            + "a period with `count` and `unit`.",
        [.required("value", .instant, "`\"2026-12-24\"` or an instant")], returns: .value(.date),
        examples: APIExample(#"date "2026-12-24" .year"#, "2026"),
        APIExample(#"(date "2027-01-07" - date "2026-12-24").count"#, "14")
    ) { call in
        if let date: CivilDate = call.arguments["value"] { return [.date(date)] }
        return [.date(call.script.zone.date(of: try call.arguments.need("value")))]
    }

    fileprivate static let money = APIFunction(
        "money", "Makes an amount in the library's currency; text, since a number would not be exact.",
        [.required("amount", .money, "`\"1.50\"`")], returns: .value(.money),
        examples: APIExample(#"money "1.50" + money "0.25""#, "1.75 EUR")
    ) { [.money(try $0.arguments.need("amount"))] }

    fileprivate static let percent = APIFunction(
        "percent", "Makes an exact percentage.", [.required("value", .text(maximum: 40), "`\"6.62\"`")],
        returns: .value(.percent), examples: APIExample(#"money "10.00" * percent "6.62""#, "0.66 EUR")
    ) { [.percent(try Percent(parsing: try $0.arguments.need("value") as String))] }

    fileprivate static func period(
        _ name: String, _ unit: Period.Unit, each: Int64 = 1, _ summary: String, _ code: String, _ result: String
    ) -> APIFunction {
        APIFunction(
            name, summary, [.required("count", .integer)], returns: .value(.period),
            examples: APIExample(code, result)
        ) { [.period(try Period(try $0.arguments.need("count"), unit).times(each))] }
    }

    fileprivate static let progress = APIFunction(
        "progress", "Goes through an iterator or a list and shows how far it is.",
        [
            .required("iterator", .any, "what `each` gives, or a list"),
            .optional("total", .count, "how many there will be"),
        ],
        returns: .each(.any),
        examples: APIExample(
            "local n = 0 for title in progress(catalogue.each{}, catalogue.count{}) do n = n + 1 end return n", "4")
    ) { call in
        let given: LuaValue = try call.arguments.need("iterator")
        return try call.progress(over: given, total: call.arguments["total"])
    }
}

extension APICall {
    /// Reports progress every so many elements, and at the end.
    private static let step: Int64 = 100

    fileprivate func progress(over given: LuaValue, total: Int64?) throws -> [LuaValue] {
        // The callbacks live in the script's own state: they must not keep the script.
        let script = script
        let output = script.output
        var done: Int64 = 0
        func advance(_ isAtEnd: Bool, total: Int64?) {
            if !isAtEnd { done += 1 }
            if isAtEnd || done % APICall.step == 0 { output.progress(done, of: total) }
        }
        switch given {
        case .table(let table):
            let rows = table.array
            return [
                .callback { _ in
                    let index = Int(clamping: done)
                    advance(index >= rows.count, total: total ?? Int64(rows.count))
                    return [index < rows.count ? rows[index] : .nil]
                }
            ]
        case .function(let next):
            return [
                .callback { [unowned script] _ in
                    let values = try script.state.call(next)
                    advance(values.first?.isNil ?? true, total: total)
                    return values
                }
            ]
        default: throw fault("'iterator' must be an iterator or a list, got a \(given.typeName)")
        }
    }
}
