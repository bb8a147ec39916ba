/// Reads JSON text (RFC 8259) strictly: no comments, no trailing commas, no duplicate keys, no byte order mark, valid
/// UTF-8 only and no lone surrogate. Malformed input of any kind is a ``TextError`` with its place, never a trap.
package enum JSONParser {
    /// How deep arrays and objects may be nested by default.
    package static let defaultMaximumDepth = 512

    /// Parses one whole JSON text.
    ///
    /// - Parameter maximumDepth: nesting beyond it is an error, since each level costs stack.
    /// - Throws: ``TextError`` at the first fault.
    package static func parse(
        _ text: String, maximumDepth: Int = defaultMaximumDepth
    ) throws(TextError) -> JSON {
        var text = text
        return try text.withUTF8 { bytes in
            Result { () throws(TextError) in try parse(bytes, maximumDepth: maximumDepth) }
        }.get()
    }

    /// Parses one whole JSON text of bytes that are meant to be UTF-8.
    package static func parse(
        _ bytes: some Collection<UInt8>, maximumDepth: Int = defaultMaximumDepth
    ) throws(TextError) -> JSON {
        let result = bytes.withContiguousStorageIfAvailable { buffer in
            Result { () throws(TextError) in try parse(buffer, maximumDepth: maximumDepth) }
        }
        if let result { return try result.get() }
        return try Array(bytes).withUnsafeBufferPointer { buffer in
            Result { () throws(TextError) in try parse(buffer, maximumDepth: maximumDepth) }
        }.get()
    }

    /// Parses one whole JSON text and charges the memory of its tree.
    ///
    /// - Parameter charge: called with the additional bytes as the tree grows; it ends the work by throwing.
    /// - Throws: ``TextError`` at the first fault; what `charge` throws.
    package static func parse(
        _ text: String, maximumDepth: Int = defaultMaximumDepth, charge: (Int) throws -> Void
    ) throws -> JSON {
        var (text, refusal) = (text, (any Error)?.none)
        return try withoutActuallyEscaping(charge) { charge in
            try text.withUTF8 { bytes in
                var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
                scanner.charge = { bytes in
                    do {
                        try charge(bytes)
                        return true
                    } catch {
                        refusal = error
                        return false
                    }
                }
                do throws(JSONFault) {
                    return try scanner.document()
                } catch {
                    if let refusal { throw refusal }
                    throw TextError.located(
                        error.code, error.message, at: error.offset, in: bytes, firstLine: 1, base: 0)
                }
            }
        }
    }

    /// Parses one whole JSON text in memory that the caller keeps alive.
    ///
    /// - Parameter firstLine: the line of the first byte, for a text that is a part of a longer one.
    package static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = defaultMaximumDepth, firstLine: Int = 1,
        base: Int = 0
    ) throws(TextError) -> JSON {
        var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
        do throws(JSONFault) {
            return try scanner.document()
        } catch {
            throw TextError.located(
                error.code, error.message, at: error.offset, in: bytes, firstLine: firstLine, base: base)
        }
    }
}

/// A fault by its offset alone; the line is counted once it is known that there is one.
struct JSONFault: Error {
    let code: TextError.Code
    let message: String
    let offset: Int
}
