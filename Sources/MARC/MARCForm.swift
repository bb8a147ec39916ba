/// What files of records begin with.
package enum MARCForm: Sendable {
    case binary, xml

    /// The form of a file by its first bytes, a few thousand are enough; nil: it holds no records.
    package init?(beginning bytes: ArraySlice<UInt8>) {
        let text = bytes.drop(while: \.isFiller)
        if text.first == UInt8(ascii: "<") {
            let head = String(decoding: text, as: UTF8.self)
            let isMARC =
                ["MARC21/slim", "marcxchange", "marcxml"].contains(where: head.contains)
                || head.contains("leader") && ["<record", ":record"].contains(where: head.contains)
            guard isMARC else { return nil }
            self = .xml
        } else {
            let leader = text.prefix(24)
            let digits = [0, 1, 2, 3, 4, 12, 13, 14, 15, 16].allSatisfy { place in
                leader.dropFirst(place).first.map { (0x30...0x39).contains($0) } ?? false
            }
            guard leader.count == 24, digits else { return nil }
            self = .binary
        }
    }
}

extension UInt8 {
    /// Whether it may stand before records, or before the text of any file: blanks, line ends, the mark of UTF-8.
    package var isFiller: Bool { self <= 0x20 || self == 0xEF || self == 0xBB || self == 0xBF }
}
