/// Why an uploaded picture cannot be kept.
package struct PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of fault, as refusals name them; people read ``description``.
    package enum Code: String, Hashable, Sendable {
        /// It is neither JPEG nor PNG, GIF or WebP.
        case unknown = "picture_unknown"
        /// It has more bytes or more pixels than a picture may.
        case tooLarge = "picture_too_large"
        /// It cannot be read, or takes more memory or time than a picture may.
        case damaged = "picture_damaged"
        /// Pictures cannot be read here: libgd is not installed, or the system starts no process for it.
        case unavailable = "pictures_unavailable"
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package static let unknown = PictureFault(
        .unknown, "This file is none of the pictures that can be kept: JPEG, PNG, GIF and WebP.")
    package static let tooLarge = PictureFault(
        .tooLarge,
        "This picture is too large: it may have \(PictureLimits.mostBytes >> 20) MB and "
            + "\(PictureLimits.mostPixels / 1_000_000) megapixels.")
    package static let damaged = PictureFault(.damaged, "This picture cannot be read.")
}
