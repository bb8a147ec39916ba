import Circulation
import Desk
import Scripting
import TextFormats

/// Pictures as the library's own server hands them out: what people uploaded (`/pictures/{name}.jpg`, small
/// `/pictures/{name}-small.jpg`), and what stands at other servers (`/pictures/titles/{title}`,
/// `/pictures/listings/{listing}`).
///
/// All who know the name of an uploaded picture may see it; it tells nothing but what it is the picture of. Everyone who
/// may see a title or an offer may see its picture at another server, which does not learn who looks at it.
enum PicturePage: PageGroup {
    enum Kind: String {
        case titles, listings

        /// The field of the API's record that has the address.
        var field: String { self == .titles ? "cover_url" : "picture" }
    }

    static let pages = [page(.titles), page(.listings), kept]

    /// It never changes: its name is the digest of what it is.
    private static let kept = Page(
        verb: .get, path: "/pictures/{file}", access: .everyone,
        work: .serving { call in
            guard call.values[0].hasSuffix(".jpg") else { throw Problem.notFound }
            let stem = call.values[0].dropLast(4)
            let isSmall = stem.hasSuffix("-small")
            let name = String(isSmall ? stem.dropLast(6) : stem)
            guard WrittenPicture.isName(name) else { throw Problem.notFound }
            var header = PicturePage.header(seconds: 31_536_000)
            header["Cache-Control"]? += ", immutable"
            header["ETag"] = "\"\(stem)\""
            guard let image = try call.context.look({ try $0.catalogue.image(name, isSmall: isSmall) }) else {
                throw Problem.notFound
            }
            if call.request.field("if-none-match") == header["ETag"] { return WebResponse(304, fields: header) }
            return WebResponse(200, "image/jpeg", body: image.bytes, fields: header)
        })

    /// The address of a picture that was uploaded.
    static func path(ofKept name: String?, isSmall: Bool = false) -> String? {
        guard let name, WrittenPicture.isName(name) else { return nil }
        return "/pictures/\(name)\(isSmall ? "-small" : "").jpg"
    }

    private static func header(seconds: Int) -> [String: String] {
        [
            "Cache-Control": "private, max-age=\(seconds)", "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
    }

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

    /// Where a record's picture is, the first that was uploaded before one of another server; nil where it has none. It
    /// changes with the picture, so that browsers may keep it.
    static func path(_ kind: Kind, of record: JSON, isSmall: Bool = false) -> String? {
        let name = kind == .titles ? record["cover"] : record["pictures"]?.arrayValue?.first
        if let kept = PicturePage.path(ofKept: name?.stringValue, isSmall: isSmall) { return kept }
        guard let url = PageWords.link(record[kind.field], only: "https"), let id = record["id"]?.integerValue else {
            return nil
        }
        return "/pictures/\(kind.rawValue)/\(id)?of=\(SHA256.hexadecimal(of: Array(url.utf8)).prefix(12))"
    }

    /// - Throws: ``Problem`` where there is none.
    static func answer(_ picture: Picture?) throws(Problem) -> WebResponse {
        guard let picture else { throw Problem.notFound }
        return WebResponse(
            200, picture.type, body: picture.bytes, fields: header(seconds: 86_400))
    }
}
