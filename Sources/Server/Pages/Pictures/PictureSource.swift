/// Fetches pictures from other servers: the desk itself reaches no network.
package protocol PictureSource: Sendable {
    /// The bytes at an address; it may take seconds.
    ///
    /// - Parameter url: `https://...`, as a seller or a record of a title gave it: anything may stand there.
    /// - Throws: why there are none.
    func bytes(at url: String) throws -> [UInt8]
}

/// A picture of a kind that browsers show and that runs nothing.
struct Picture: Sendable {
    let type: String
    let bytes: [UInt8]

    /// - Returns: nil for bytes that begin like no such picture, whatever the other server calls them.
    init?(_ bytes: [UInt8]) {
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        guard let type = isWebP ? "image/webp" : Self.beginnings.first(where: { bytes.starts(with: $0.bytes) })?.type
        else { return nil }
        self.type = type
        self.bytes = bytes
    }

    private static let beginnings: [(bytes: [UInt8], type: String)] = [
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        (Array("GIF87a".utf8), "image/gif"), (Array("GIF89a".utf8), "image/gif"),
    ]
}
