// Reading a part of a text and passing over the rest.
extension JSONScanner {
    /// What is wanted of the only value of the text.
    mutating func document(_ selection: JSONSelection) throws(JSONFault) -> JSON {
        let value = try value(selection, depth: 0)
        skipWhiteSpace()
        if position < bytes.count { throw fault("unexpected text after the value") }
        return value
    }

    private mutating func value(_ selection: JSONSelection, depth: Int) throws(JSONFault) -> JSON {
        skipWhiteSpace()
        guard let members = selection.members, position < bytes.count, bytes[position] == UInt8.openBrace else {
            return try value(depth: depth)
        }
        return .object(try object(members, depth: depth))
    }

    private mutating func object(
        _ wanted: [JSONSelection.Member], depth: Int
    ) throws(JSONFault) -> JSONObject {
        var entries: [JSONObject.Entry] = []
        entries.reserveCapacity(wanted.count)
        try eachMember(depth: depth) { (scanner, key, start) throws(JSONFault) in
            guard let member = wanted.first(where: { key.isKey(of: $0) }) else {
                return try scanner.skipValue(depth: depth + 1)
            }
            if entries.contains(where: { $0.key == member.key }) {
                throw scanner.fault(
                    "the key \"\(member.key)\" stands twice in the object", code: .duplicateKey, at: start)
            }
            let value = try scanner.value(member.selection, depth: depth + 1)
            entries.append(JSONObject.Entry(key: member.key, value: value))
        }
        return JSONObject(distinctEntries: entries)
    }

    /// A key as it is written, and as it reads if that is something else.
    private struct WrittenKey {
        var bytes: UnsafeBufferPointer<UInt8>
        var text: String?

        func isKey(of member: JSONSelection.Member) -> Bool {
            text.map { $0 == member.key } ?? member.bytes.elementsEqual(bytes)
        }
    }

    /// Calls `body` with the key of each member, once its value is the next.
    private mutating func eachMember(
        depth: Int, _ body: (inout JSONScanner, WrittenKey, _ start: Int) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try enter(depth)
        skipWhiteSpace()
        if take(UInt8.closeBrace) { return }
        while true {
            skipWhiteSpace()
            let start = position
            guard position < bytes.count, bytes[position] == UInt8.quote else {
                throw fault("a key in double quotes is expected in the object")
            }
            let text = try skipString()
            let key = WrittenKey(
                bytes: UnsafeBufferPointer(rebasing: bytes[(start + 1)..<(position - 1)]), text: text)
            skipWhiteSpace()
            guard take(UInt8.colon) else { throw fault("a colon is expected after the key") }
            try body(&self, key, start)
            skipWhiteSpace()
            if take(UInt8.comma) { continue }
            if take(UInt8.closeBrace) { return }
            throw fault("a comma or '}' is expected in the object")
        }
    }

    private mutating func skipValue(depth: Int) throws(JSONFault) {
        skipWhiteSpace()
        guard position < bytes.count else { throw fault("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8.quote: _ = try skipString()
        case UInt8.openBrace:
            try eachMember(depth: depth) { (scanner, _, _) throws(JSONFault) in
                try scanner.skipValue(depth: depth + 1)
            }
        case UInt8.openBracket: try skipArray(depth: depth)
        default: _ = try value(depth: depth)
        }
    }

    private mutating func skipArray(depth: Int) throws(JSONFault) {
        try enter(depth)
        skipWhiteSpace()
        if take(UInt8.closeBracket) { return }
        while true {
            try skipValue(depth: depth + 1)
            skipWhiteSpace()
            if take(UInt8.comma) { continue }
            if take(UInt8.closeBracket) { return }
            throw fault("a comma or ']' is expected in the array")
        }
    }

    /// Passes over a string without making one, unless it has to be looked at closely.
    ///
    /// - Returns: the string then.
    private mutating func skipString() throws(JSONFault) -> String? {
        var index = position + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8.quote {
                position = index + 1
                return nil
            }
            if byte == UInt8.backslash || byte < UInt8.space || byte >= 0x80 { break }
            index += 1
        }
        return try string()
    }
}
