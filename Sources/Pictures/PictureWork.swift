import CPictures

/// The inside of a process that reads one picture: see `docs/pictures.md`.
package enum PictureWork {
    /// Reads a picture from standard input, writes it to standard output and ends the process.
    ///
    /// Before it reads a byte it gives up all but memory, its input, its output and its end.
    package static func perform() -> Never { moonshelf_picture_work() }

    /// Tries what such a process may not do, and ends the process: with 0 if it could.
    ///
    /// - Parameter deed: one of `open`, `socket`, `exec`, `fork`, `kill`, `code`, `map`, `read`, `write`, `memory`;
    ///   `nothing` for the trial itself.
    package static func attempt(_ deed: String) -> Never { moonshelf_picture_try(deed) }

    /// What the end of such a process says of its picture; nil: it was written.
    ///
    /// - Parameter status: with which it ended by itself; nil: something ended it.
    package static func fault(status: Int32?) -> PictureFault? {
        switch status {
        case Int32(moonshelf_picture_written): nil
        case Int32(moonshelf_picture_unknown): .unknown
        case Int32(moonshelf_picture_too_large): .tooLarge
        case Int32(moonshelf_picture_unavailable):
            PictureFault(
                .unavailable, "Pictures are read by libgd, on Debian the package libgd3, which is not installed.")
        case Int32(moonshelf_picture_unsealed):
            PictureFault(.unavailable, "Pictures are not read here: the system lets no process be shut in.")
        default: .damaged
        }
    }
}
