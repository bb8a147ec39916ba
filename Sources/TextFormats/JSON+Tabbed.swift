extension JSON {
    /// The value as `cJSON_Print` of the C library cJSON lays it out: a member a line, indented by tabs, a tab behind the
    /// colon; the elements of an array one behind the other.
    ///
    /// - Parameter depth: in how many arrays and objects the value stands.
    package func tabbedText(depth: Int = 0) -> String {
        var bytes: [UInt8] = []
        appendTabbed(to: &bytes, depth: depth)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the same text as bytes.
    package func appendTabbed(to bytes: inout [UInt8], depth: Int = 0) {
        switch self {
        case .array(let elements):
            bytes.append(UInt8.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes += [UInt8.comma, UInt8.space] }
                element.appendTabbed(to: &bytes, depth: depth + 1)
            }
            bytes.append(UInt8.closeBracket)
        case .object(let object):
            bytes += [UInt8.openBrace, UInt8.lineFeed]
            for (index, entry) in object.entries.enumerated() {
                if index > 0 { bytes += [UInt8.comma, UInt8.lineFeed] }
                bytes.append(contentsOf: repeatElement(UInt8.tab, count: depth + 1))
                JSON.string(entry.key).appendTabbed(to: &bytes)
                bytes += [UInt8.colon, UInt8.tab]
                entry.value.appendTabbed(to: &bytes, depth: depth + 1)
            }
            if !object.isEmpty { bytes.append(UInt8.lineFeed) }
            bytes.append(contentsOf: repeatElement(UInt8.tab, count: depth))
            bytes.append(UInt8.closeBrace)
        case .string(let text):
            var text = text
            text.withUTF8 { bytes.appendJSONString($0) }
        default:
            bytes += Array(self.text().utf8)
        }
    }
}
