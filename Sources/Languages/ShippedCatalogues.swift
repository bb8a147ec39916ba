/// The catalogues that come with the program, in it.
enum ShippedCatalogues {
    static let all: [(name: String, text: String)] = [
        ("ar.po", text(PackageResources.ar_po)), ("de.po", text(PackageResources.de_po)),
        ("it.po", text(PackageResources.it_po)),
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
