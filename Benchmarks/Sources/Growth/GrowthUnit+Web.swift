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

    /// Pages, as a browser of staff shows them. Each is to take the same in a library of any size.
    static var pages: [GrowthUnit] {
        [
            "/", "/search", "/search?query=rivers", "/search?query=rivers&page=20", "/search?query=rivers&order=year",
            "/search?query=r", "/search?query=history+of+rivers", "/search?query=rivers&available=yes",
            "/search?query=rivers&language=en", "/search?query=rivres", "/search?order=lent", "/search?order=year",
            "/search?order=rated", "/search?query=rivers&order=rated", "/titles/3/reviews",
            "/titles/3", "/new.rss", "/opds/titles", "/opds/subjects", "/market", "/market?text=rivers", "/cart", "/me",
            "/me/history", "/me/notifications", "/me/favourites", "/me/lists", "/me/listings",
            "/me/rentals", "/me/orders", "/me/suggestions", "/desk", "/desk?patron=reader3", "/desk/returns",
            "/desk/patrons", "/desk/patrons?text=reader3", "/desk/patrons?text=n3", "/desk/patrons/3",
            "/desk/suggestions", "/desk/duplicates",
            "/desk/reports", "/desk/policy",
        ].map { path in
            GrowthUnit(kind: .page, name: path) { library in
                let parts = path.split(separator: "?", maxSplits: 1)
                var request = WebRequest("GET", String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil)
                request.fields.append(("cookie", "moonshelf=\(library.token)"))
                let answer = await library.web.answer(request)
                guard answer.status == 200 else { throw BenchFailure("\(path) is answered \(answer.status)") }
                return 1
            }
        }
    }
}
