/// Lua's own character classes, which no locale changes.
extension UInt8 {
    var isLineEnd: Bool { self == 0x0A || self == 0x0D }
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isHexadecimalDigit: Bool { hexadecimalValue != nil }
    var isNameStart: Bool { (0x61...0x7A).contains(self) || (0x41...0x5A).contains(self) || self == 0x5F }
    var isNamePart: Bool { isNameStart || isDigit }
    var isPrintable: Bool { (0x20...0x7E).contains(self) }
    var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }

    var hexadecimalValue: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x41 + 10
        case 0x61...0x66: Int(self) - 0x61 + 10
        default: nil
        }
    }
}
