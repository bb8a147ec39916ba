/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
    package enum Fault: Error {
        /// A `%` that two hexadecimal digits do not follow.
        case digits
        /// Not UTF-8, or a control character other than tab and line ends.
        case text
    }

    /// A text as a segment of a path, or as a name or value of a query: all bytes but the unreserved characters (section 2.3)
    /// become `%XX`, so that no line end or separator is left.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if byte.isUnreserved {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// - Parameter plusIsSpace: whether `+` stands for a space, as in a query or a form.
    package static func decoded(_ text: Substring, plusIsSpace: Bool = false) throws(Fault) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit else {
                    throw .digits
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self),
            !decoded.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" && $0 != "\t" && $0 != "\r" })
        else { throw .text }
        return decoded
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
