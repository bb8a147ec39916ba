import Languages
import Scripting

/// The languages of the pages: which one a request is answered in, and how a reader picks another.
enum LanguagePage: PageGroup {
    /// A year.
    private static let secondsKept: Int64 = 31_536_000

    static let pages = [
        Page(
            verb: .get, path: "/language/{code}", access: .everyone,
            work: .serving { call in
                let languages = call.services.appearance.languages
                guard let language = languages.all.first(where: { $0.code == call.values[0] }) else {
                    throw Problem.notFound
                }
                var answer = WebResponse(303, fields: ["Location": call.request.referrer?.text ?? "/"])
                let cookie = PageCookie(kind: .language, value: language.code, seconds: secondsKept)
                answer.cookies = [cookie.text(call.services.settings)]
                return answer
            })
    ]

    /// The languages that a reader may pick, as the foot of each page shows them; empty where there is one alone.
    static func choices(_ languages: Languages) -> [[String: Any]] {
        guard languages.all.count > 1 else { return [] }
        return languages.all.map {
            ["code": $0.code, "name": $0.name, "isSpoken": $0 === Language.spoken, "direction": $0.direction.rawValue]
        }
    }

    /// The language in which a request is answered: the one picked in this browser, or the patron's, or the one that the browser asks
    /// for, or the library's.
    ///
    /// - Parameter patron: the code in the record of the patron who is logged in.
    static func language(of request: WebRequest, patron: String? = nil, _ services: Services) -> Language {
        let languages = services.appearance.languages
        return PageCookie.text(.language, in: request, services.settings).flatMap { languages.language($0) }
            ?? patron.flatMap { languages.language($0) }
            ?? request.field("accept-language").flatMap { languages.language(accepted: $0) } ?? languages.standard
    }
}
