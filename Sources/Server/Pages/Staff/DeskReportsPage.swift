import Circulation
import Desk
import Reports
import Scripting
import TextFormats

/// Reports: the library's scripts that read and do nothing else, with their arguments as a form.
enum DeskReportsPage {
    static let pages = [
        Page.shown("/desk/reports", .staff) { call in
            let shelf = ReportShelf(call.services.settings.scripts)
            let reports = shelf.names.compactMap { name -> [String: Any]? in
                guard let source = shelf.source(name) else { return nil }
                return ["name": words(name), "link": "/desk/reports/\(name)", "summary": summary(source)]
            }
            return PageView(template: "desk-reports", title: "Reports", fields: ["reports": reports])
        },
        Page(
            verb: .get, path: "/desk/reports/{report}", access: .staff,
            work: .entering { call in .view(try view(call, wrong: nil)) }),
        Page(
            verb: .get, path: "/desk/reports/{report}/result", access: .staff,
            work: .entering { call in
                let source = try source(call)
                let report = run(source, call)
                let result = try report.result(arguments(call, try report.declared().parameters))
                if let failure = result.failure {
                    return .view(
                        try view(call, wrong: failure.status == .usage ? failure.message : failure.description))
                }
                if let refusal = result.refusal { return .view(try view(call, wrong: refusal.message)) }
                // What it returned is shown as the command shows it.
                let document = ValueReport.document(result, isForProgram: false)
                return PageAnswer(
                    kind: .document(
                        call.query[format] == "csv"
                            ? ReportAnswer.sheet(document, name: call.values[0])
                            : ReportAnswer.page(document, ways: ways(call))))
            }),
    ]

    /// The field that says in which form the report is wanted; no argument of a script can be called so.
    private static let format = ".as"

    /// From a report back to its form, as it was filled in, and to the others.
    private static func ways(_ call: PageCall) -> [HTMLReport.Way] {
        let form = "/desk/reports/\(call.value())"
        let filled = OwnPath(form + (call.request.query.map { "?\($0)" } ?? ""))
        return [.init(filled?.text ?? form, "Back to what it is about"), .init("/desk/reports", "All reports")]
    }

    private static func words(_ name: String) -> String {
        let text = name.replacing("_", with: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func summary(_ source: ScriptSource) -> String {
        PageWords.safe(ScriptHelp.firstComment(of: source.text).prefix { !$0.isEmpty }.joined(separator: " "))
    }

    private static func source(_ call: PageCall) throws -> ScriptSource {
        guard let source = ReportShelf(call.services.settings.scripts).source(call.values[0]) else {
            throw Problem.notFound
        }
        return source
    }

    private static func run(_ source: ScriptSource, _ call: PageCall) -> ReportRun {
        ReportRun(
            source: source, desk: call.services.desk.acting(as: call.caller.actor), clock: call.services.clock,
            turn: call.services.reportTurn)
    }

    // MARK: - The form

    private static func view(_ call: PageCall, wrong: String?) throws -> PageView {
        let source = try source(call)
        let declared = try run(source, call).declared()
        var fields: [String: Any] = [
            "path": "/desk/reports/\(call.value())/result", "summary": summary(source),
            "inputs": declared.parameters.map { input($0, call) },
        ]
        fields["wrong"] = (wrong ?? declared.failure?.description).map(PageWords.safe)
        return PageView(
            template: "desk-report", title: words(call.values[0]), fields: fields, status: wrong == nil ? 200 : 422)
    }

    private static func input(_ parameter: ScriptParameter, _ call: PageCall) -> [String: Any] {
        let value = call.query[parameter.name] ?? parameter.standard ?? ""
        var fields: [String: Any] = [
            "name": parameter.name, "label": words(parameter.name), "value": PageWords.safe(value),
            "isRequired": parameter.isRequired && parameter.standard == nil, "isNumber": parameter.kind == .integer,
        ]
        let help =
            parameter.help.isEmpty ? nil : parameter.help.prefix(1).uppercased() + parameter.help.dropFirst() + "."
        let hint = [help, example(parameter.kind)].compactMap(\.self).joined(separator: " ")
        if !hint.isEmpty { fields["hint"] = PageWords.safe(hint) }
        guard let choices = parameter.kind == .boolean ? ["false", "true"] : parameter.choices else { return fields }
        fields["choices"] = choices.map { choice -> [String: Any] in
            let shown = parameter.kind == .boolean ? (choice == "true" ? "Yes" : "No") : words(choice)
            return ["value": PageWords.safe(choice), "words": PageWords.safe(shown), "isChosen": choice == value]
        }
        fields["mayBeEmpty"] = parameter.standard == nil
        return fields
    }

    private static func example(_ kind: ScriptParameter.Kind) -> String? {
        switch kind {
        case .period: "Such as last_month, this_year, 2026, 2026-12 or 2026-09-01..2026-12-24."
        case .date: "Such as today or 2026-12-24."
        case .instant: "Such as 2026-12-24 18:00."
        case .money: "Such as 5.00."
        case .text, .integer, .number, .boolean: nil
        }
    }

    /// What was filled in, as the command line would say it.
    private static func arguments(_ call: PageCall, _ declared: [ScriptParameter]) -> [String] {
        declared.compactMap { parameter in
            call.query.text(parameter.name).map { "--\(parameter.name.replacing("_", with: "-"))=\($0)" }
        }
    }
}
