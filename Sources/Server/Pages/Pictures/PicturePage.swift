import Scripting
import TextFormats

/// Pictures as the library's own server hands them out: `/pictures/titles/{title}`, `/pictures/listings/{listing}`.
///
/// Everyone who may see a title or an offer may see its picture. The other server does not learn who looks at it.
enum PicturePage: PageGroup {
    enum Kind: String {
        case titles, listings

        /// The field of the API's record that has the address.
        var field: String { self == .titles ? "cover_url" : "picture" }
    }

    static let pages = [page(.titles), page(.listings)]

    private static func page(_ kind: Kind) -> Page {
        Page(
            verb: .get, path: "/pictures/\(kind.rawValue)/{id}", access: .everyone,
            work: .picturing { call in
                guard Int64(call.values[0]) != nil else { throw Problem.notFound }
                let record = try call.record("/\(kind.rawValue)/\(call.value())")
                guard let url = PageWords.link(record[kind.field], only: "https") else { throw Problem.notFound }
                return url
            })
    }

    /// Where a record's picture is; nil where it has none. It changes with the picture, so that browsers may keep it.
    static func path(_ kind: Kind, of record: JSON) -> String? {
        guard let url = PageWords.link(record[kind.field], only: "https"), let id = record["id"]?.integerValue else {
            return nil
        }
        return "/pictures/\(kind.rawValue)/\(id)?of=\(SHA256.hexadecimal(of: Array(url.utf8)).prefix(12))"
    }

    /// - Throws: ``Problem`` where there is none.
    static func answer(_ picture: Picture?) throws(Problem) -> WebResponse {
        guard let picture else { throw Problem.notFound }
        return WebResponse(
            200, picture.type, body: picture.bytes,
            fields: [
                "Cache-Control": "private, max-age=86400", "Content-Security-Policy": "default-src 'none'; sandbox",
                "Cross-Origin-Resource-Policy": "same-origin",
            ])
    }
}
