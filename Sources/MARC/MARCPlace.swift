import CMARC

/// The place in which libyaz has one record at a time.
final class MARCPlace {
    let pointer: UnsafeMutableRawPointer

    init() throws(MARCUnavailable) {
        guard let made = moonshelf_marc_make() else { throw MARCUnavailable(description: "there is no memory") }
        pointer = made
    }

    deinit { moonshelf_marc_free(pointer) }

    /// A record of ISO 2709 taken apart; nil where it cannot be.
    func lines(of bytes: [UInt8]) -> MARCLines? {
        bytes.withUnsafeBytes { raw in
            var (text, length): (UnsafePointer<CChar>?, Int) = (nil, 0)
            let start = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard moonshelf_marc_read(pointer, start, raw.count, &text, &length) != 0 else { return nil }
            return MARCLines(Array(UnsafeRawBufferPointer(start: text, count: length))[...])
        }
    }
}
