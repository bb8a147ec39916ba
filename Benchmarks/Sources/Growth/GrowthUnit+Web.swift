import Scripting
import Server
import TextFormats

extension GrowthUnit {
    /// All routes that only read, as staff ask for them.
    static var routes: [GrowthUnit] {
        RouteTable.all.filter { $0.verb == .get && $0.access != .admin }.map { route in
            let path = route.path.replacing("{patron}", with: "reader3").replacing("{branch}", with: "central")
                .replacing("{isbn}", with: "9780000000026").replacing(#/\{\w+\}/#, with: "3")
            let query = route.otherParameters.filter { $0.isRequired }.map { parameter in
                let value = value(parameter)
                return "\(parameter.name)=\(PercentEncoding.encoded(value.stringValue ?? value.text()))"
            }
            return GrowthUnit(kind: .route, name: "GET " + route.path) { library in
                var request = WebRequest(
                    "GET", RouteTable.root + path, query: query.isEmpty ? nil : query.joined(separator: "&"))
                request.fields.append(("authorization", "Bearer \(library.token)"))
                let answer = await library.web.answer(request)
                guard answer.status == 200 || answer.status == 404 else {
                    throw BenchFailure("\(path) is answered \(answer.status): \(answer.text)")
                }
                return (try? JSONParser.parse(answer.body))?["items"]?.arrayValue?.count ?? 1
            }
        }
    }

    /// All pages that only show, as an administrator's browser asks for them, and searches of every kind. Each is to
    /// take the same in a library of any size.
    static var pages: [GrowthUnit] {
        (PageTable.shownPaths.filter { !missing.contains($0) } + searches).map { path in
            GrowthUnit(kind: .page, name: path) { library in
                let parts = path.split(separator: "?", maxSplits: 1)
                var request = WebRequest(
                    "GET", library.pages.path(String(parts[0])), query: parts.count > 1 ? String(parts[1]) : nil)
                request.fields.append(("cookie", "moonshelf=\(library.administratorToken)"))
                let answer = await library.web.answer(request)
                guard [200, 303].contains(answer.status) else {
                    throw BenchFailure("\(request.path) is answered \(answer.status)")
                }
                return 1
            }
        }
    }

    private static let searches = [
        "/search?query=rivers", "/search?query=rivers&page=20", "/search?query=rivers&order=year",
        "/search?query=r", "/search?query=history+of+rivers", "/search?query=rivers&available=yes",
        "/search?query=rivers&language=en", "/search?query=rivres", "/search?order=lent", "/search?order=year",
        "/search?order=rated", "/search?query=rivers&order=rated", "/market?text=rivers", "/desk?patron=reader3",
        "/desk/patrons?text=reader3", "/desk/patrons?text=n3", "/desk/titles?text=rivers",
        "/desk/calendar/central/closing?from=2026-12-01",
    ]

    /// Pages of what a grown library does not have: files, pictures, series, a job's run, fields of its own, a plugin, a
    /// cart just checked out, a library that is not set up; the preview of a closure without a day, which is among
    /// the searches; and reports, which another program makes and which are units of their own.
    private static let missing: Set = [
        "/assets/{name}", "/pictures/titles/{id}", "/pictures/listings/{id}", "/pictures/{file}", "/series",
        "/desk/import/refused/{file}", "/cart/checkout", "/set-up", "/desk/jobs/{run}",
        "/desk/calendar/{branch}/closing",
        "/desk/patrons/{patron}/fields", "/desk/titles/{title}/fields", "/desk/copies/{copy}/fields",
        "/desk/reports/{report}", "/desk/reports/{report}/result", "/desk/reports/-/result", "/desk/plugins/{plugin}",
    ]
}
