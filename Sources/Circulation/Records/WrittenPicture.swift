import TextFormats

/// A picture as it is kept: written anew as JPEG without metadata, whole and small.
package struct WrittenPicture: Hashable, Sendable {
    /// One JPEG file.
    package struct Image: Hashable, Sendable {
        /// In pixels.
        package var width: Int
        package var height: Int
        /// The file.
        package var bytes: [UInt8]

        package init(width: Int, height: Int, bytes: [UInt8]) {
            self.width = width
            self.height = height
            self.bytes = bytes
        }
    }

    package var whole: Image
    package var small: Image

    package init(whole: Image, small: Image) {
        self.whole = whole
        self.small = small
    }

    /// What it is called: SHA-256 of the whole file in hexadecimal digits.
    package var name: String { SHA256.hexadecimal(of: whole.bytes) }

    /// Whether a text is such a name.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
