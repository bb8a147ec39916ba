import CPictures

/// How large pictures may be, and how large they are kept.
package enum PictureLimits {
    /// The most bytes of a picture that is uploaded.
    package static let mostBytes = Int(moonshelf_picture_most_bytes)
    /// The most pixels of it.
    package static let mostPixels = Int(moonshelf_picture_most_pixels)
    /// The longer side of a picture as it is kept, in pixels.
    package static let side = Int(moonshelf_picture_side)
    /// The longer side of its small copy.
    package static let smallSide = Int(moonshelf_picture_small_side)
    /// The most bytes of a picture as it is kept.
    package static let mostWritten = Int(moonshelf_picture_most_written)
    /// The most bytes of its small copy.
    package static let mostSmall = Int(moonshelf_picture_most_small)
}
