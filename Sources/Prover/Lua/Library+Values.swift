import Circulation

extension Library {
    /// The words that make values.
    func defineValues() {
        let units: [(String, Period.Unit, each: Int64)] = [
            ("days", .days, 1), ("weeks", .weeks, 1), ("months", .months, 1), ("years", .months, 12),
            ("hours", .hours, 1), ("minutes", .minutes, 1), ("open_days", .openDays, 1),
        ]
        for (name, unit, each) in units {
            define(name) { _, arguments, site in
                switch arguments.first {
                case .integer(let count)?: return [.period(each == 1 ? count : count * .constant(each), unit)]
                case .float(let value)? where Int64(exactly: value) != nil:
                    return [.period(.constant(Int64(value) &* each), unit)]
                case .opaque?: throw site.unsettled("a period of a number with a fraction")
                default: throw Raised("\(name): argument 1 must be a whole number", at: site)
                }
            }
        }
        define("money") { [currency] _, arguments, site in
            if case .money? = arguments.first { return [arguments[0]] }
            guard case .text(let text)? = arguments.first else {
                throw Raised("money: argument 1 must be an amount such as \"0.20\"", at: site)
            }
            guard case .known(let written) = text else { throw site.unsettled("money of a text of the case") }
            guard let money = try? Money(parsing: written, currency: currency) else {
                throw Raised("money: \(written) is no amount", at: site)
            }
            return [.money(.constant(money.minorUnits))]
        }
        define("percent") { _, arguments, site in
            guard case .text(.known(let text))? = arguments.first, let percent = try? Percent(parsing: text) else {
                if case .integer(.constant(let whole))? = arguments.first { return [.percent(Percent(whole))] }
                throw site.unsettled("a percentage that is not known")
            }
            return [.percent(percent)]
        }
        define("date") { interpreter, arguments, site in
            switch arguments.first {
            case .date?: return [arguments[0]]
            case .instant?: return [.date(try interpreter.day(arguments[0]))]
            case .text(.known(let text))?:
                guard let date = try? CivilDate(parsing: text) else {
                    throw Raised("date: \(text) is no date", at: site)
                }
                return [.date(.constant(Int64(date.dayNumber)))]
            case .text(let text)?:
                if let date = try interpreter.date(written: text, site) { return [date] }
                throw site.unsettled("a date of a text of the case")
            default: throw Raised("date: argument 1 must be a date or an instant", at: site)
            }
        }
        define("exact") { _, arguments, site in
            switch arguments.first {
            case .instant(let instant, _)?: return [.instant(instant, .exact)]
            case .date(let day)?:
                guard arguments.count > 1, case .text(.known(let text)) = arguments[1],
                    let time = try? CivilTime(parsing: text)
                else { throw Raised("exact: argument 2 must be a time of day such as \"11:30\"", at: site) }
                let microseconds = Int64(time.hour * 3_600 + time.minute * 60 + time.second) * 1_000_000
                return [.instant(day * .constant(ProofDomain.microsecondsPerDay) + .constant(microseconds), .exact)]
            default: throw Raised("exact: argument 1 must be an instant or a date", at: site)
            }
        }
        set("unlimited", .unlimited)
        set("none", .nothing)
    }

    // MARK: - The calendar

    func defineCalendar() {
        defineMove("next_open") { try $0.nextOpen(onOrAfter: $1) }
        defineMove("next_open_after") { try $0.nextOpen(after: $1) }
        defineMove("previous_open") { try $0.previousOpen(onOrBefore: $1) }
        defineMethod("is_open") { interpreter, arguments, site in
            let calendar = Calendar(path: interpreter.path, isAsked: true)
            guard case .instant(let instant, let nature) = arguments[0], nature != .dateLike else {
                return .flag(try calendar.isOpen(interpreter.day(arguments[0])))
            }
            // Open on the day, and at that hour.
            let hours = try interpreter.path.condition("open at \(instant.smt)")
            interpreter.path.wish(hours)
            return .flag(try calendar.isOpen(interpreter.day(arguments[0])) && hours)
        }
        defineMethod("add_open_days") { interpreter, arguments, site in
            guard arguments.count > 1, case .integer(let count) = arguments[1] else {
                throw Raised("add_open_days: argument 2 must be a whole number", at: site)
            }
            return try interpreter.replaced(arguments[0]) {
                try Calendar(path: interpreter.path, isAsked: true).adding(count, to: $0)
            }
        }
        defineMethod("open_days_between") { interpreter, arguments, site in
            guard arguments.count > 1 else {
                throw Raised("open_days_between: argument 2 must be a date or an instant", at: site)
            }
            let calendar = Calendar(path: interpreter.path, isAsked: true)
            return .integer(
                try calendar.openDays(after: interpreter.day(arguments[0]), to: interpreter.day(arguments[1])))
        }
        for name in ["closing", "next_opening"] {
            defineMethod(name) { _, _, site in throw site.unsettled("the opening hours") }
        }
    }

    private func defineMove(_ name: String, _ move: @escaping (Calendar, Number) throws -> Number) {
        defineMethod(name) { interpreter, arguments, _ in
            try interpreter.replaced(arguments[0]) { try move(Calendar(path: interpreter.path, isAsked: true), $0) }
        }
    }

    /// A method may be called with a dot or a colon.
    private func defineMethod(_ name: String, _ call: @escaping (Interpreter, [Value], Site) throws -> Value) {
        define("calendar.\(name)") { interpreter, arguments, site in
            var arguments = arguments
            if case .calendar? = arguments.first { arguments.removeFirst() }
            switch arguments.first {
            case .date?, .instant?: return [try call(interpreter, arguments, site)]
            default: throw Raised("\(name): argument 1 must be a date or an instant", at: site)
            }
        }
    }
}

extension Interpreter {
    /// A date, or an instant at the same time of day, moved to another day.
    func replaced(_ value: Value, _ move: (Number) throws -> Number) throws -> Value {
        let moved = try move(day(value))
        guard case .instant(let instant, let nature) = value else { return .date(moved) }
        let microseconds = ProofDomain.microsecondsPerDay
        return .instant(moved * .constant(microseconds) + instant.modulo(microseconds), nature)
    }
}

extension Interpreter {
    /// What `has` answers.
    func has(_ list: Value, _ wanted: Value, _ site: Site) throws -> Condition {
        if list.isNull { return .constant(false) }
        if wanted.isNull { throw Raised("has: argument 2 must be a value or a list of values", at: site) }
        let sought: [Value]
        switch wanted {
        case .table(let table):
            _ = try length(of: table, site)
            sought = table.elements
        case .record, .calendar: throw site.unsettled("has with a record of the case as what is wanted")
        case .list: throw site.unsettled("has with a list of the case as what is wanted")
        default: sought = [wanted]
        }
        switch list {
        case .list(let list):
            return .some(
                try sought.map { value in
                    guard case .text(let text) = value, let contains = list.contains else {
                        throw site.unsettled("has of what is no list of texts, or wants no text")
                    }
                    return try contains(text)
                })
        case .table(let table):
            func isOne(_ element: Value) throws -> Condition { .some(try sought.map { try equal(element, $0, site) }) }
            guard let tail = table.tail else {
                _ = try length(of: table, site)
                return .some(try table.elements.map(isOne))
            }
            let behind = try Number.constant(1) <= tail.count && isOne(tail.element().value)
            return .some(try table.elements.map(isOne) + [behind] + tail.after.map(isOne))
        case .record, .calendar: return .constant(false)
        default:
            throw Raised("has: argument 1 must be a list such as case.patron.categories, not \(list.kind)", at: site)
        }
    }
}
