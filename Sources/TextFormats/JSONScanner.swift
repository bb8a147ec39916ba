/// The recursive descent over the bytes of one JSON text.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    var position = 0
    /// Called with the additional bytes of the tree; returns whether to go on. Nil: memory is not charged.
    var charge: ((Int) -> Bool)?
    private var owed = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, startingAt position: Int = 0) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.position = position
    }

    /// The only value of the text.
    mutating func document() throws(JSONFault) -> JSON {
        let value = try value(depth: 0)
        skipWhiteSpace()
        if position < bytes.count { throw fault("unexpected text after the value") }
        return value
    }

    /// The next value, after any white space.
    mutating func value(depth: Int) throws(JSONFault) -> JSON {
        skipWhiteSpace()
        try owe(Self.bytesOfValue)
        guard position < bytes.count else { throw fault("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8.quote:
            let text = try string()
            try owe(text.utf8.count)
            return .string(text)
        case UInt8.openBrace: return .object(try object(depth: depth))
        case UInt8.openBracket: return .array(try array(depth: depth))
        case UInt8.minus, UInt8.zero...UInt8.nine: return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case 0xEF where position == 0: throw fault("a byte order mark is not part of JSON")
        default: throw fault("a value is expected")
        }
    }

    /// A value in a list that grows.
    private static let bytesOfValue = 2 * MemoryLayout<JSON>.stride
    /// An array's or object's own memory, with room for its first members.
    private static let bytesOfArray = 64
    private static let bytesOfObject = 64 + 8 * MemoryLayout<JSONObject.Entry>.stride

    /// Accounts are settled now and then, not for each value.
    private mutating func owe(_ bytes: Int) throws(JSONFault) {
        guard let charge else { return }
        owed += bytes
        guard owed >= 16_384 else { return }
        guard charge(owed) else { throw fault("the value is larger than it may be") }
        owed = 0
    }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while position < bytes.count, bytes[position].isJSONWhiteSpace { position += 1 }
    }

    /// Whether the next byte is `byte`, which is then passed over.
    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    func fault(_ message: String, code: TextError.Code = .syntax, at offset: Int? = nil) -> JSONFault {
        JSONFault(code: code, message: message, offset: offset ?? position)
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[index]) else { throw fault("a value is expected", at: start) }
        }
        return value
    }
}

// MARK: - Arrays and objects

extension JSONScanner {
    private mutating func array(depth: Int) throws(JSONFault) -> [JSON] {
        try enter(depth)
        skipWhiteSpace()
        if take(UInt8.closeBracket) { return [] }
        try owe(Self.bytesOfArray)
        var elements: [JSON] = []
        while true {
            elements.append(try value(depth: depth + 1))
            skipWhiteSpace()
            if take(UInt8.comma) { continue }
            if take(UInt8.closeBracket) { return elements }
            throw fault("a comma or ']' is expected in the array")
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
        try enter(depth)
        skipWhiteSpace()
        if take(UInt8.closeBrace) { return JSONObject() }
        try owe(Self.bytesOfObject)
        var entries: [JSONObject.Entry] = []
        entries.reserveCapacity(8)
        var seen: Set<String> = []
        while true {
            skipWhiteSpace()
            let start = position
            guard position < bytes.count, bytes[position] == UInt8.quote else {
                throw fault("a key in double quotes is expected in the object")
            }
            let key = try string()
            try owe(MemoryLayout<JSONObject.Entry>.stride + key.utf8.count)
            if isDuplicate(key, among: entries, seen: &seen) {
                throw fault("the key \"\(key)\" stands twice in the object", code: .duplicateKey, at: start)
            }
            skipWhiteSpace()
            guard take(UInt8.colon) else { throw fault("a colon is expected after the key") }
            entries.append(JSONObject.Entry(key: key, value: try value(depth: depth + 1)))
            skipWhiteSpace()
            if take(UInt8.comma) { continue }
            if take(UInt8.closeBrace) { return JSONObject(distinctEntries: entries) }
            throw fault("a comma or '}' is expected in the object")
        }
    }

    mutating func enter(_ depth: Int) throws(JSONFault) {
        if depth >= maximumDepth {
            throw fault("arrays and objects are nested deeper than \(maximumDepth) levels", code: .depth)
        }
        position += 1
    }

    /// Compares with the earlier keys one by one while they are few, by a set from then on.
    private func isDuplicate(_ key: String, among entries: [JSONObject.Entry], seen: inout Set<String>) -> Bool {
        let few = 16
        if entries.count < few {
            for entry in entries where entry.key == key {
                return true
            }
            return false
        }
        if entries.count == few { seen.formUnion(entries.map(\.key)) }
        return !seen.insert(key).inserted
    }
}

// MARK: - Strings

extension JSONScanner {
    /// The string whose opening quote is the next byte.
    mutating func string() throws(JSONFault) -> String {
        let opening = position
        let start = position + 1
        var index = start
        var all: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8.quote {
                let content = UnsafeBufferPointer(rebasing: bytes[start..<index])
                position = index + 1
                return all < 0x80 ? String(decoding: content, as: UTF8.self) : try decode(content, at: start)
            }
            if byte == UInt8.backslash { return try escapedString(from: start, plainUpTo: index) }
            if byte < UInt8.space { throw controlCharacter(at: index) }
            all |= byte
            index += 1
        }
        throw fault("the string that begins here has no end", at: opening)
    }

    private func controlCharacter(at offset: Int) -> JSONFault {
        fault("a control character in a string must be escaped", at: offset)
    }

    private func decode(_ content: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONFault) -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw fault("the bytes are not UTF-8", code: .encoding, at: start + content.validUTF8PrefixLength)
        }
        return text
    }

    private mutating func escapedString(from start: Int, plainUpTo first: Int) throws(JSONFault) -> String {
        var content = Array(bytes[start..<first])
        position = first
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8.quote:
                position += 1
                return try decodeUnescaped(content, from: start)
            case UInt8.backslash: try appendEscape(to: &content)
            case 0..<UInt8.space: throw controlCharacter(at: position)
            default:
                content.append(byte)
                position += 1
            }
        }
        throw fault("the string that begins here has no end", at: start - 1)
    }

    private func decodeUnescaped(_ content: [UInt8], from start: Int) throws(JSONFault) -> String {
        guard let text = String(validating: content, as: UTF8.self) else {
            // Escapes yield valid UTF-8 of whole characters, so the fault lies in the source bytes themselves.
            let source = UnsafeBufferPointer(rebasing: bytes[start..<(position - 1)])
            throw fault("the bytes are not UTF-8", code: .encoding, at: start + source.validUTF8PrefixLength)
        }
        return text
    }

    private mutating func appendEscape(to content: inout [UInt8]) throws(JSONFault) {
        let start = position
        position += 1
        guard position < bytes.count else { throw fault("the text ends inside an escape") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8.quote, UInt8.backslash, UInt8.slash: content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(UInt8.lineFeed)
        case UInt8(ascii: "r"): content.append(UInt8.carriageReturn)
        case UInt8(ascii: "t"): content.append(UInt8.tab)
        case UInt8(ascii: "u"): content.append(contentsOf: String(try escapedScalar(from: start)).utf8)
        default: throw fault("no such escape", at: start)
        }
    }

    /// The character of `\uXXXX`, or of two of them that make a surrogate pair.
    private mutating func escapedScalar(from start: Int) throws(JSONFault) -> Character {
        let first = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        let lone = "half of a surrogate pair stands alone"
        guard first < 0xDC00, take(UInt8.backslash), take(UInt8(ascii: "u")) else {
            throw fault(lone, code: .encoding, at: start)
        }
        let second = try hexadecimalUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw fault(lone, code: .encoding, at: start) }
        return Character(scalar)
    }

    private mutating func hexadecimalUnit() throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = bytes[position].hexadecimalValue else {
                throw fault("four hexadecimal digits are expected")
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}

// MARK: - Numbers

extension JSONScanner {
    /// The parts of a number as written.
    private struct NumberParts {
        /// The first digits as an integer; meaningless once ``digits`` is more than 18.
        var mantissa: UInt64 = 0
        var digits = 0
        var exponent = 0
    }

    private mutating func number() throws(JSONFault) -> JSON {
        let start = position
        let isNegative = take(UInt8.minus)
        var parts = NumberParts()
        guard digits(into: &parts) > 0 else { throw fault("a digit is expected") }
        if bytes[position - parts.digits] == UInt8.zero && parts.digits > 1 {
            throw fault("a number has no leading zeros", at: start)
        }
        let isWhole = position >= bytes.count || !isFractionOrExponent(bytes[position])
        if isWhole {
            if parts.digits <= 18 {
                let magnitude = Int64(parts.mantissa)
                return .integer(isNegative ? -magnitude : magnitude)
            }
            let written = UnsafeBufferPointer(rebasing: bytes[start..<position])
            if let exact = Int64(String(decoding: written, as: UTF8.self)) { return .integer(exact) }
        }
        try fractionAndExponent(into: &parts)
        return .number(try double(parts, isNegative: isNegative, from: start))
    }

    private func isFractionOrExponent(_ byte: UInt8) -> Bool {
        byte == UInt8.dot || byte | 0x20 == UInt8(ascii: "e")
    }

    private mutating func fractionAndExponent(into parts: inout NumberParts) throws(JSONFault) {
        if take(UInt8.dot) {
            let count = digits(into: &parts)
            guard count > 0 else { throw fault("a digit is expected after the decimal point") }
            parts.exponent -= count
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let isNegative = take(UInt8.minus)
            if !isNegative { _ = take(UInt8.plus) }
            var exponent = NumberParts()
            guard digits(into: &exponent) > 0 else { throw fault("a digit is expected in the exponent") }
            let magnitude = exponent.digits > 9 ? 999_999_999 : Int(exponent.mantissa)
            parts.exponent += isNegative ? -magnitude : magnitude
        }
    }

    /// Passes over decimal digits and returns how many there were.
    private mutating func digits(into parts: inout NumberParts) -> Int {
        let start = position
        while position < bytes.count, bytes[position].isDigit {
            parts.mantissa = parts.mantissa &* 10 &+ UInt64(bytes[position] &- UInt8.zero)
            position += 1
        }
        parts.digits += position - start
        return position - start
    }

    private func double(_ parts: NumberParts, isNegative: Bool, from start: Int) throws(JSONFault) -> Double {
        // Up to 2^53 and 10^22 both operands are exact, so that one division or product rounds correctly (Clinger).
        if parts.digits <= 15, (-22...22).contains(parts.exponent) {
            let mantissa = Double(parts.mantissa)
            let power = Self.powersOfTen[abs(parts.exponent)]
            let magnitude = parts.exponent < 0 ? mantissa / power : mantissa * power
            return isNegative ? -magnitude : magnitude
        }
        let written = UnsafeBufferPointer(rebasing: bytes[start..<position])
        guard let value = Double(String(decoding: written, as: UTF8.self)), value.isFinite else {
            throw fault("the number is larger than a double can hold", code: .number, at: start)
        }
        return value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
