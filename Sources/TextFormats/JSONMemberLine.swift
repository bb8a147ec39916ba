/// Finds where a member stands in a JSON text, for errors about its value: parsed values know no places.
package enum JSONMemberLine {
    /// The line, from 1, on which the member stands that `path` leads to from the outermost object; of a path whose end
    /// is missing, the line of the part that is there. `[2]` leads to the second element of a list. Nil if the text is not
    /// a JSON object.
    package static func of(_ path: [String], in text: [UInt8]) -> Int? {
        guard (try? JSONParser.parse(text))?.objectValue != nil else { return nil }
        return text.withUnsafeBufferPointer { bytes in
            var place = Place(bytes: bytes)
            place.skip { $0 != UInt8.openBrace }
            var line = place.line
            for name in path {
                guard let found = place.enter(element: name) ?? place.enter(name) else { break }
                line = found
            }
            return line
        }
    }

    /// A walk through text that is known to be well formed.
    private struct Place {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        var line: Int { UnsafeBufferPointer(rebasing: bytes[..<position]).lineEndCount + 1 }

        mutating func skip(while isPassed: (UInt8) -> Bool) {
            while position < bytes.count, isPassed(bytes[position]) { position += 1 }
        }

        /// Moves from the brace of an object to the value of its member, and gives the line of the name.
        mutating func enter(_ name: String) -> Int? {
            guard position < bytes.count, bytes[position] == UInt8.openBrace else { return nil }
            position += 1
            while true {
                skip { $0.isJSONWhiteSpace || $0 == UInt8.comma }
                guard position < bytes.count, bytes[position] == UInt8.quote else { return nil }
                let line = line
                let key = try? JSONParser.parse(element()).stringValue
                skip { $0.isJSONWhiteSpace || $0 == UInt8.colon }
                if key == name { return line }
                _ = element()
            }
        }

        /// Moves from the bracket of a list to the element that `[2]` names, and gives its line.
        mutating func enter(element name: String) -> Int? {
            guard position < bytes.count, bytes[position] == UInt8.openBracket, name.hasPrefix("["),
                let number = Int(name.dropFirst().dropLast()), number > 0
            else { return nil }
            position += 1
            for _ in 1..<number {
                skip { $0.isJSONWhiteSpace || $0 == UInt8.comma }
                _ = element()
            }
            skip { $0.isJSONWhiteSpace || $0 == UInt8.comma }
            return line
        }

        /// Passes over one value and gives its text.
        private mutating func element() -> ArraySlice<UInt8> {
            let rest = UnsafeBufferPointer(rebasing: bytes[position...])
            var finder = JSONElementFinder()
            let length = finder.end(in: rest, isWhole: true) ?? rest.count
            defer { position += length }
            return ArraySlice(rest[..<length])
        }
    }
}
