import Circulation
import Interchange
import Languages
import Scripting
import TextFormats

/// The headings by which the columns of a file are known, kind by kind, each with a table to begin with.
enum ImportHeadingsPage {
    static let path = "\(ImportPage.path)/headings"

    static let pages = [
        Page.shown(path, .admin, view),
        Page(
            verb: .get, path: "\(ImportPage.path)/examples/{kind}", access: .admin,
            work: .serving { call in
                guard let kind = KnownHeadings.kind(call.values[0]),
                    let bytes = KnownHeadings.example(of: kind, code: { try? code($0, call) })
                else { throw Problem.notFound }
                var answer = WebResponse(200, text: String(decoding: bytes, as: UTF8.self), "text/csv; charset=utf-8")
                answer.fields["Content-Disposition"] = ImportPage.attachment("\(call.values[0]).csv")
                return answer
            }),
    ]

    /// The first code that the library has of a kind; nil: none.
    private static func code(_ kind: String, _ call: PageCall) throws -> String? {
        guard let path = ImportFieldNames.codes[kind] else { return nil }
        return try RecordForm.codes(path, call).first?.value
    }

    private static func view(_ call: PageCall) -> PageView {
        let kinds = FieldLabels.kinds.map { kind, label -> [String: Any] in
            let plural = KnownHeadings.plural(kind) ?? kind
            return [
                "kind": say(label), "anchor": plural, "example": "\(ImportPage.path)/examples/\(plural)",
                "rows": KnownHeadings.fields(of: kind).map { field -> [String: Any] in
                    [
                        "label": say(field.label), "holds": PageWords.sentence(field.holds).filter { $0 != "`" },
                        "isRequired": field.isRequired, "headings": field.headings.joined(separator: " · "),
                    ]
                },
            ]
        }
        return PageView(
            template: "import-headings", title: say("Known headings"),
            fields: ["kinds": kinds, "back": ImportPage.path])
    }
}
