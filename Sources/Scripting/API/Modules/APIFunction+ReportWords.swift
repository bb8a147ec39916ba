import Circulation
import Desk
import Languages
import LuaRuntime

extension APIFunction {
    static let reportLanguage = APIFunction(
        "language", "Says in which language the script writes its report.",
        details:
            "Names of months, languages and the like, dates and figures on pages, and what pages say around the report follow. It stands "
            + "at the beginning: what was asked before is in English. Without it a report is in English.",
        [.required("code", .text(maximum: 35), "such as `de`")], returns: .nothing,
        examples: APIExample(
            #"report.language("de") return report.name("language", "fr")"#, #""Französisch""#)
    ) { call in
        let code: String = try call.arguments.need("code")
        guard Languages.isCode(code) else { throw call.fault("'code' is no code of a language, such as \"de\"") }
        call.script.document.language = code
        return []
    }

    static let reportName = APIFunction(
        "name", "What people call a code, in the language of the report; the code itself where it has no name.",
        details:
            "Of a `branch`, a `category` and an `item_type` it is the library's name for it, of a `language` (ISO 639) that of the "
            + "language, of a `month` such as `2026-12`, a `week` such as `2026-W52` and a `weekday` from 1 for Monday how people "
            + "write it, of a `word` of the program's own such as `on_loan` the words. Columns say the same by `of`.",
        [
            .required("kind", .words(ReportCodeKind.self), "what it is a code of"),
            .optional("code", .any, "a text or a whole number"),
        ], returns: .value(.optional(.text)),
        examples: APIExample(#"report.name("branch", "main")"#, #""Main Library""#),
        APIExample(#"report.name("month", "2026-12")"#, #""Dec 2026""#)
    ) { call in
        guard let kind: ReportCodeKind = call.word("kind") else { throw call.fault("'kind' is unknown") }
        let code: String
        switch call.arguments["code"] as LuaValue? {
        case nil, .nil?: return [.nil]
        case .string(let text)?: code = text
        case .integer(let number)?: code = String(number)
        case let other?: throw call.fault("'code' must be text or a whole number, got a \(other.typeName)")
        }
        return [.string(try call.script.names(of: kind).name(of: code) ?? code)]
    }

    static let reportLink = APIFunction(
        "link",
        "A cell of a table that leads to a record where the report is shown by the server; elsewhere it is a text.",
        details:
            "The text is the title's name, the copy's barcode, the patron's username, the listing's name, or one of the script's own. "
            + "A copy leads to its title. Where the reader may not see patrons, a patron is a text. Nothing gives nothing, "
            + "so that a record that is gone leaves its cell empty.",
        [
            .required("kind", .words(ReportLink.Kind.self)),
            .optional("record", .any, "the record, or its id where a text is given; of a copy its title's"),
            .optional("text", .text(maximum: 10_000), "what readers see"),
        ], returns: .value(.any),
        examples: APIExample(
            #"report.table{ columns = { "title" }, rows = { { title = report.link("title", catalogue.get("9780261103573")) } } }"#,
            shows: """
                title
                --------------------------
                The Fellowship of the Ring
                """)
    ) { call in
        guard let kind: ReportLink.Kind = call.word("kind") else { throw call.fault("'kind' is unknown") }
        let text: String? = call.arguments["text"]
        switch call.arguments["record"] as LuaValue? {
        case nil, .nil?: return [text.map { .string($0) } ?? .nil]
        case .integer(let id)?:
            guard let text else { throw call.fault("an id needs a 'text'") }
            return [cell(kind, id, text)]
        case .table(let record)?:
            let (idField, textField) = fields(of: kind)
            guard let id = record[idField].integerValue, let own = text ?? record[textField].stringValue else {
                throw call.fault("'record' is not a \(kind.rawValue)")
            }
            return [cell(kind, id, own)]
        case let other?: throw call.fault("'record' must be a \(kind.rawValue) or an id, got a \(other.typeName)")
        }
    }

    private static func cell(_ kind: ReportLink.Kind, _ id: Int64, _ text: String) -> LuaValue {
        .table(LuaTable(fields: ["link": .string(kind.rawValue), "id": .integer(id), "text": .string(text)]))
    }

    /// Where a record has the id of what is linked, and what it is called.
    private static func fields(of kind: ReportLink.Kind) -> (id: String, text: String) {
        switch kind {
        case .title: ("id", "title")
        case .copy: ("title", "barcode")
        case .patron: ("id", "username")
        case .listing: ("id", "name")
        }
    }
}
