import Circulation
import Desk
import LuaRuntime
import LuaSyntax
import Reports
import Scripting
import TextFormats

/// SQL, and where the time goes.
extension Repl {
    func schema(_ words: SessionWords) -> ScriptFailure? {
        guard let name = words.words.first else {
            show(fields: views.map { ($0.name, $0.summary) })
            return nil
        }
        guard let view = views.first(where: { $0.name == name }) else {
            let hint = NameSuggestion.nearest(to: name, among: views.map(\.name)).map { "; did you mean '\($0)'?" }
            return fault("There is no view '\(SafeText.line(name))'\(hint ?? "; ':schema' lists what there is.")")
        }
        tell("\(view.name): \(view.summary)")
        tell("  " + view.columns.joined(separator: ", "))
        return nil
    }

    func sql(_ words: SessionWords) -> ScriptFailure? {
        var text = words.text
        if text.hasSuffix(";") { text.removeLast() }
        guard !text.isEmpty else { return fault("Write a statement: ':sql select title from titles limit 5'.") }
        do {
            let answer = try evaluator.desk.ask(text, [])
            var table = ReportTable(columns: answer.columns.map { ReportColumn(name: $0) })
            let cells = answer.rows.map { $0.map(ReportValue.init(sql:)) }
            for (index, _) in answer.columns.enumerated() {
                table.columns[index].type = ReportColumnType.fitting(cells.map { $0[index] })
            }
            for row in cells { table.append(row) }
            keep([Repl.records(answer)])
            show(table)
            return nil
        } catch let error as DeskError {
            let isUnknown = error.message.contains("cannot be read")
            return fault(error.message + (isUnknown ? "; ':schema' lists the views" : ""))
        } catch {
            return ScriptFailure(error)
        }
    }

    /// The rows as Lua sees them.
    private static func records(_ answer: Desk.Table) -> LuaValue {
        .table(
            LuaTable(
                array: answer.rows.map { row in
                    let fields = zip(answer.columns, row).compactMap { name, value -> (String, LuaValue)? in
                        switch value {
                        case .null, .array, .object: nil
                        case .bool(let flag): (name, .boolean(flag))
                        case .integer(let integer): (name, .integer(integer))
                        case .number(let number): (name, .number(number))
                        case .string(let text): (name, .string(text))
                        }
                    }
                    return .table(LuaTable(fields: fields))
                }))
    }

    /// Evaluates a statement and shows how much time each function of the API took.
    func profile(_ words: SessionWords) -> ScriptFailure? {
        let context = evaluator.context
        let isNoting = context.journal != nil
        let before = context.journal?.costs ?? [:]
        if !isNoting { context.beginJournal() }
        let clock = ContinuousClock()
        let start = clock.now
        let evaluation = evaluate(words.text)
        let passed = clock.now - start
        let costs = context.journal?.costs ?? [:]
        if !isNoting { context.endJournal() }
        if case .incomplete = evaluation { return fault("This ends too early.") }
        if let failure = show(evaluation) { return failure }
        show(Repl.costs(costs, since: before, of: passed))
        return nil
    }

    private static func costs(
        _ costs: [String: ScriptJournal.Cost], since before: [String: ScriptJournal.Cost], of whole: Duration
    ) -> ReportTable {
        var table = ReportTable(
            columns: [
                ReportColumn(name: "where"), ReportColumn(name: "calls", type: .integer),
                ReportColumn(name: "ms", type: .number), ReportColumn(name: "share", type: .text),
            ])
        var rest = whole
        let spent = costs.map { name, cost in
            (name, cost.calls - (before[name]?.calls ?? 0), cost.duration - (before[name]?.duration ?? .zero))
        }
        for (name, calls, duration) in spent.filter({ $0.1 > 0 }).sorted(by: { $0.2 > $1.2 }) {
            table.append(row(name, .integer(Int64(calls)), duration, whole))
            rest -= duration
        }
        table.append(row("Lua itself", .none, max(.zero, rest), whole))
        table.append(row("all of it", .none, whole, whole))
        return table
    }

    private static func row(
        _ name: String, _ calls: ReportValue, _ duration: Duration, _ whole: Duration
    ) -> [ReportValue] {
        let share = whole > .zero ? duration / whole : 0
        let milliseconds = (duration / .milliseconds(1) * 100).rounded() / 100
        return [.text(name), calls, .number(milliseconds), .text("\(Int((share * 100).rounded())) %")]
    }
}

extension ReportValue {
    fileprivate init(sql value: JSON) {
        switch value {
        case .null, .array, .object: self = .none
        case .bool(let flag): self = .boolean(flag)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .string(let text): self = .text(text)
        }
    }
}
