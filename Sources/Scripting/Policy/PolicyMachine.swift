import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

/// The Lua side of one loaded policy: a state with the policy's words, its functions, and the records they read.
final class PolicyMachine {
    let state: LuaState
    let context: LuaValueContext
    let frame: LuaFrame
    let names: PolicyNames
    /// The names of the answers' fields.
    let keys: AnswerKeys
    /// The table that was given to `policy`, once the file has run.
    private(set) var given: LuaTable?
    /// Answers `standard(case, rule)` for the question at hand.
    var standard: () throws -> [LuaValue] = { [] }
    /// The methods of `case.calendar`.
    private(set) var calendarMethods: [LuaFunction] = []
    private let probes: PolicyProbes?
    private var rowSites: [PolicyTable: [Int]] = [:]

    /// - Parameter probes: counts what runs.
    /// - Throws: ``LuaError``.
    init(chunks: [Chunk], currency: Currency, limits: LuaLimits, probes: PolicyProbes? = nil) throws {
        self.probes = probes
        state = try LuaState(profile: .policy, limits: limits)
        context = LuaValueContext(currency: currency)
        names = PolicyNames(chunks)
        frame = try LuaFrame(state)
        keys = try AnswerKeys(state)
        let known = PolicyWord.names
        state.unknownGlobal = { name in
            let nearest = NameSuggestion.nearest(to: name, among: known)
            return "there is no '\(name)'" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
        }
        state.unknownField = { record, field in PolicyMachine.unknownField(record, field) }
        try LuaValues.install(in: state, context: context)
        try definePrelude()
        try defineHostWords()
        try defineCalendar()
    }

    /// Runs the policy's file and keeps what it gave to `policy`.
    ///
    /// - Parameter chunks: the policy's file first, then what it requires.
    /// - Returns: where the rows of its lists are written.
    /// - Throws: ``LuaError``; ``PolicyFailure`` if the file makes no policy.
    func run(_ chunks: [Chunk]) throws -> RowPlaces {
        let environment = try state.makeEnvironment()
        let marks = RowMarks(chunks, reserving: probes)
        let sources = Dictionary(
            chunks.map { ($0.name, PolicySource.text(of: $0, probes: probes, rows: marks)) },
            uniquingKeysWith: { first, _ in first })
        state.require = { name in
            guard let file = PolicyBundle.fileName(of: name), let source = sources[file] else {
                throw LuaHostError("require \"\(name)\": the policy has no such file")
            }
            return (source, file)
        }
        let name = chunks[0].name
        let chunk = try state.load(sources[name] ?? "", chunk: name, environment: environment)
        let results = try state.call(chunk)
        guard given != nil, case .table = results.first else {
            throw PolicyFailure(
                code: "wrong_type", message: "the file must end with: return policy { ... }", file: name, line: 1)
        }
        try state.freeze(environment)
        try state.freeze(chunk)
        return RowPlaces(marks: marks, sites: rowSites)
    }

    private func definePrelude() throws {
        let environment = try state.makeEnvironment()
        let chunk = try state.load(PolicyPrelude.source, chunk: PolicyPrelude.chunk, environment: environment)
        for (name, word) in zip(PolicyPrelude.names, try state.call(chunk)) {
            try state.define(name, value: word)
        }
    }

    private func defineHostWords() throws {
        try state.define("policy") { [unowned self] arguments in
            guard case .table(let table) = try arguments.value(at: 0) else {
                throw LuaHostError("policy: argument 1 must be a table")
            }
            if given != nil { throw LuaHostError("policy: a file makes one policy only") }
            given = table
            return [.table(LuaTable())]
        }
        try state.define("exact") { [unowned self] arguments in try exact(arguments) }
        try state.define("standard") { [unowned self] _ in try standard() }
        try probes?.define(in: state)
        try RowMarks.define(in: state) { [unowned self] in rowSites = $0 }
    }

    /// `exact(instant)`, or a date with a time of day: `exact(date, "11:30")`.
    private func exact(_ arguments: LuaArguments) throws -> [LuaValue] {
        if let instant = arguments[0].instantValue { return [LuaValue(instant, .exact)] }
        guard let date = arguments[0].dateValue else {
            throw LuaHostError(
                "exact: argument 1 must be an instant or a date, not \(LuaValues.typeName(of: arguments[0]))")
        }
        guard let text = arguments[1].stringValue, let time = try? CivilTime(parsing: text) else {
            throw LuaHostError("exact: argument 2 must be a time of day such as \"11:30\"")
        }
        return [LuaValue(context.zone.instant(of: date, time), .exact)]
    }

    private func defineCalendar() throws {
        let environment = try state.makeEnvironment()
        for method in CalendarMethod.allCases {
            try state.define("method", in: environment) { [unowned self] arguments in
                let skipped = arguments.kind(at: 0) == .table ? 1 : 0
                let values = (skipped..<max(arguments.count, skipped)).map { arguments[$0] }
                return [
                    try LuaValues.raising {
                        try method.call(values, calendar: context.calendar, zone: context.zone)
                    }
                ]
            }
            let getter = try state.load("return method", chunk: PolicyPrelude.chunk, environment: environment)
            if case .function(let function)? = try state.call(getter).first { calendarMethods.append(function) }
        }
    }

    private static func unknownField(_ record: String, _ field: String) -> String {
        let fields = PolicyRecords.types.first { $0.name == record }?.fields ?? RuleField.all.map(\.name)
        let nearest = NameSuggestion.nearest(to: field, among: fields)
        return "'\(record)' has no field '\(field)'" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
    }
}

/// The names of the fields of answers, kept in the state so that reading them allocates nothing.
struct AnswerKeys {
    let answer: LuaKey
    let code: LuaKey
    let message: LuaKey
    let override: LuaKey
    let despite: LuaKey
    let due: LuaKey
    let priority: LuaKey

    init(_ state: LuaState) throws(LuaError) {
        answer = try state.key("answer")
        code = try state.key("code")
        message = try state.key("message")
        override = try state.key("override")
        despite = try state.key("despite")
        due = try state.key("due")
        priority = try state.key("priority")
    }
}
