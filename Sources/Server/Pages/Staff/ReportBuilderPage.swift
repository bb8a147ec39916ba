import Circulation
import Desk
import Foundation
import Languages
import Scripting
import Storage
import TextFormats

/// The report builder: staff choose what is counted, by what and when, and get a report that is a script.
///
/// What it shows comes from the script, run as any report is; the address of the page is the whole choice.
enum ReportBuilderPage: PageGroup {
    static let templates = [PageTemplate("report-builder", PackageResources.report_builder_mustache)]

    static let path = "/desk/build-report"
    /// What is built, as documents; no report of the library's can be called so.
    private static let built = "/desk/reports/-"

    static let pages = [
        Page(
            verb: .get, path: path, access: .staff,
            work: .entering { call in .view(try view(call, call.query)) }),
        Page(
            verb: .get, path: built + "/script", access: .staff,
            work: .entering { call in
                let choice = try choice(call, call.query)
                var answer = WebResponse(200, text: script(choice, call).text, "text/x-lua; charset=utf-8")
                answer.fields["Content-Disposition"] = "attachment; filename=\"\(choice.name).lua\""
                return PageResponse(kind: .document(answer))
            }),
        Page(
            verb: .get, path: built + "/result", access: .staff,
            work: .entering { call in
                let choice = try choice(call, call.query)
                let isSheet = call.query[DeskReportsPage.format] == "csv"
                let reply = try reply(choice, isSheet ? .sheet : .page, call)
                guard let text = reply.text else { return .view(try view(call, call.query)) }
                return PageResponse(
                    kind: .document(
                        isSheet ? ReportResponse.sheet(text, name: choice.name) : ReportResponse.page(text)))
            }),
        Page(
            verb: .post, path: path + "/save", access: .staff,
            work: .working { call in
                let choice = try choice(call, call.form)
                let name = call.form.text("name") ?? choice.name
                try ReportShelf.save(script(choice, call).text, as: name, in: call.services.settings.scripts)
                return .done(to: "/desk/reports/\(name)", saying: say("The report has been saved."))
            }, again: { call in try view(call, call.form) }),
    ]

    // MARK: - What was chosen

    private static let fieldNames = [
        "measure", "rows", "columns", "span", "from", "to", "branch", "category", "item_type", "chart",
    ]

    private static func chosen(_ form: PageForm) -> [String: String] {
        form.texts.filter { fieldNames.contains($0.key) }
    }

    private static func read(_ form: PageForm, _ call: PageCall) throws -> ReportChoice {
        let today = call.library.zone.date(of: call.now)
        return try ReportChoice(chosen(form), today: today) { dimension, code in
            try codes(of: dimension, call).contains { $0.value == code }
        }
    }

    /// The same where a page without a form wants it.
    ///
    /// - Throws: ``Problem`` with the sentence of what is wrong.
    private static func choice(_ call: PageCall, _ form: PageForm) throws -> ReportChoice {
        do {
            return try read(form, call)
        } catch let error as ReportChoiceError {
            throw Problem.input(error.message, argument: error.field)
        }
    }

    /// The report in the library's language, whoever builds it.
    private static func script(_ choice: ReportChoice, _ call: PageCall) -> ReportScript {
        ReportScript(choice, in: call.services.appearance.languages.standard)
    }

    /// What the library declares for a filter.
    private static func codes(of dimension: FigureDimension, _ call: PageCall) throws -> [(value: String, name: String)]
    {
        switch dimension {
        case .branch: try RecordForm.codes("/branches", call)
        case .category: try RecordForm.codes("/categories", call)
        default: try RecordForm.codes("/item-types", call)
        }
    }

    // MARK: - The page

    private static func view(_ call: PageCall, _ form: PageForm) throws -> PageView {
        var fields = chosen(form)
        var wrong: ReportChoiceError?
        var choice: ReportChoice?
        // Another measure was chosen: what it does not have falls back to the usual.
        let isChoosing = form["choose"] != nil
        if isChoosing, let measure = fields["measure"].flatMap(FigureMeasure.named) { fit(&fields, to: measure) }
        do {
            choice = try read(PageForm(fields), call)
        } catch let error as ReportChoiceError {
            wrong = error
        }
        let measure = fields["measure"].flatMap(FigureMeasure.named) ?? FigureMeasure.all[0]
        var shown: [String: Any] = [
            "path": path, "measures": try inputs(["measure"], measure, fields, wrong, call),
            "inputs": try inputs(fieldNames.filter { $0 != "measure" }, measure, fields, wrong, call),
            "summary": say(Phrase(measure.summary)) + ".",
        ]
        if let wrong { shown["wrong"] = PageWords.sentence(wrong.message) }
        if let choice, !isChoosing, !fields.isEmpty { try show(choice, fields, &shown, call) }
        let status = wrong == nil && shown["fault"] == nil ? 200 : 422
        return PageView(template: "report-builder", title: say("Build a report"), fields: shown, status: status)
    }

    private static func fit(_ fields: inout [String: String], to measure: FigureMeasure) {
        let known = measure.dimensions
        if let rows = fields["rows"], !known.contains(where: { $0.rawValue == rows }) { fields["rows"] = nil }
        if let columns = fields["columns"], !known.contains(where: { $0.rawValue == columns && $0.isForColumns }) {
            fields["columns"] = nil
        }
        if fields["columns"] == fields["rows"] { fields["columns"] = nil }
        for filter in FigureDimension.filters where !measure.filters.contains(filter) { fields[filter.rawValue] = nil }
    }

    /// The report, and what can be done with it.
    private static func show(
        _ choice: ReportChoice, _ fields: [String: String], _ shown: inout [String: Any], _ call: PageCall
    ) throws {
        let reply = try reply(choice, .part, call)
        guard let text = reply.text else {
            shown["fault"] = PageWords.sentence(reply.wrong ?? "")
            return
        }
        let query = fieldNames.compactMap { name in fields[name].map { "\(name)=\(PercentEncoding.encoded($0))" } }
            .joined(separator: "&")
        let folder = call.services.settings.scripts
        let name = call.form.text("name") ?? choice.name
        let script = script(choice, call)
        var report: [String: Any] = [
            "title": script.title, "content": text, "script": script.text, "download": "\(built)/script?\(query)",
            "page": "\(built)/result?\(query)", "sheet": "\(built)/result?\(query)&\(DeskReportsPage.format)=csv",
            "canSave": ReportShelf.canSave(in: folder), "name": PageWords.safe(name), "path": "\(path)/save",
            "hidden": fieldNames.compactMap { name in
                fields[name].map { ["name": name, "value": PageWords.safe($0)] }
            },
            "job": job(choice, script), "isAdmin": call.caller.isAdmin,
        ]
        report["wrong"] = call.wrong["name"]
        shown["report"] = report
    }

    /// The lines of `moonshelf.toml` that have it mailed each month.
    private static func job(_ choice: ReportChoice, _ script: ReportScript) -> String {
        """
        [[jobs]]
        name = "\(script.title)"
        cron = "0 7 1 * *"
        script = "scripts/\(choice.name).lua"
        format = "html"
        mail_to = ["head@example.org"]
        """
    }

    private static func reply(_ choice: ReportChoice, _ form: ReportRequest.Form, _ call: PageCall) throws
        -> ReportReply
    {
        let back = call.request.query.flatMap { OwnPath("\(path)?\($0)")?.text } ?? path
        return try DeskReportsPage.made(call, name: choice.name, form, script: script(choice, call).text, back: back)
    }

    // MARK: - The form

    private static func inputs(
        _ names: [String], _ measure: FigureMeasure, _ fields: [String: String], _ wrong: ReportChoiceError?,
        _ call: PageCall
    ) throws -> [[String: Any]] {
        try names.compactMap { name in
            guard let field = try field(name, measure, call) else { return nil }
            return shown(field, value: fields[name] ?? field.standard, wrong: wrong?.field == name ? wrong : nil)
        }
    }

    private struct Field {
        let name: String
        let label: String
        /// Empty: a date is written.
        var choices: [(value: String, name: String)] = []
        var standard = ""
        /// What leaving it open is called; nil: something is always chosen.
        var open: String?
        var hint: String?
    }

    private static func shown(_ field: Field, value: String, wrong: ReportChoiceError?) -> [String: Any] {
        var shown: [String: Any] = [
            "id": field.name, "name": field.name, "label": field.label, "value": PageWords.safe(value),
            "isDate": field.choices.isEmpty, "hasHint": field.hint != nil, "hint": field.hint ?? "",
        ]
        let open = field.open.map { [(value: "", name: $0)] } ?? []
        shown["choices"] = (open + field.choices).map { choice -> [String: Any] in
            [
                "value": PageWords.safe(choice.value), "words": PageWords.safe(choice.name),
                "isIt": choice.value == value,
            ]
        }
        shown["isWrong"] = wrong != nil
        return shown
    }

    /// nil: the measure has no such field.
    private static func field(_ name: String, _ measure: FigureMeasure, _ call: PageCall) throws -> Field? {
        func names(_ dimensions: [FigureDimension]) -> [(value: String, name: String)] {
            dimensions.map { ($0.rawValue, RecordForm.words($0.words)) }
        }
        switch name {
        case "measure":
            return Field(
                name: name, label: say("What"),
                choices: FigureMeasure.all.map { ($0.name, RecordForm.words($0.words)) },
                standard: FigureMeasure.all[0].name)
        case "rows":
            return Field(
                name: name, label: say("By (rows)"), choices: names(measure.dimensions),
                standard: measure.dimensions[0].rawValue)
        case "columns":
            let dimensions = measure.dimensions.filter(\.isForColumns)
            return Field(
                name: name, label: say("And by (columns)"), choices: names(dimensions), open: say("Nothing else"))
        case "span" where measure.isOfTime:
            return Field(name: name, label: say("When"), choices: spans, standard: ReportChoice.usualSpan)
        case "from" where measure.isOfTime:
            return Field(name: name, label: say("From"), hint: say("Only used with “Between these dates”."))
        case "to" where measure.isOfTime: return Field(name: name, label: say("Until"))
        case "chart":
            return Field(
                name: name, label: say("Chart"),
                choices: [
                    ("bar", say("Bars")), ("line", say("Line")), ("area", say("Area")), ("pie", say("Pie")),
                    ("none", say("No chart")),
                ], standard: "bar")
        default:
            guard let filter = FigureDimension(rawValue: name), measure.filters.contains(filter) else { return nil }
            return Field(
                name: name, label: RecordForm.words(filter.words), choices: try codes(of: filter, call),
                open: say("Any"), hint: say("Includes everything that belongs to it."))
        }
    }

    private static var spans: [(value: String, name: String)] {
        [
            ("last_12_months", say("The last 12 months")), ("this_month", say("This month")),
            ("last_month", say("Last month")), ("this_week", say("This week")), ("last_week", say("Last week")),
            ("this_year", say("This year")), ("last_year", say("Last year")), ("today", say("Today")),
            ("yesterday", say("Yesterday")), (ReportChoice.dates, say("Between these dates")),
        ]
    }
}
