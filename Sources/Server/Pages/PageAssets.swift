import Scripting
import TextFormats

/// What pages load: one stylesheet, whose address changes with its content, so that browsers may cache it for ever.
enum PageAssets: PageGroup {
    static let stylePath = "/assets/\(styleName)"

    private static let styleName =
        "moonshelf-\(SHA256.hexadecimal(of: PackageResources.moonshelf_css).prefix(16)).css"

    private static let forEver = ["Cache-Control": "public, max-age=31536000, immutable"]

    static let pages = [
        Page(
            verb: .get, path: "/assets/{name}", access: .everyone,
            work: .serving { call in
                if let own = call.services.appearance.assets.first(where: { $0.path == "/assets/\(call.values[0])" }) {
                    return WebResponse(200, own.type, body: own.bytes, fields: forEver)
                }
                guard call.values.first == styleName else { throw Problem.notFound }
                return WebResponse(
                    200, "text/css; charset=utf-8", body: PackageResources.moonshelf_css,
                    fields: forEver)
            })
    ]
}
