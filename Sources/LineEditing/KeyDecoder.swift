/// Takes the bytes of a terminal's keys apart (ECMA-48, xterm's modifiers and its mark of pastes).
struct KeyDecoder {
    private enum State {
        case ground, escape, singleShift
        case sequence(String)
        case paste
    }

    private var state = State.ground
    private var character: [UInt8] = []
    private var pasted: [UInt8] = []

    /// No statement is longer; what a paste has beyond it is left out.
    static let longestPaste = 1 << 18

    /// Whether an ESC came that may be the key itself, if nothing follows soon.
    var isUndecided: Bool { if case .escape = state { true } else { false } }

    /// The key of what came so far, if nothing follows.
    mutating func decide() -> Key? {
        guard isUndecided else { return nil }
        state = .ground
        return .escape
    }

    mutating func take(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .singleShift:
            state = .ground
            return KeyDecoder.cursorKey(byte, modifier: "")
        case .sequence(let parameters):
            guard (0x40...0x7E).contains(byte) else {
                // A sequence that goes on for ever is none.
                state = byte < 0x20 || parameters.utf8.count > 32 ? .ground : .sequence(parameters + ascii(byte))
                return nil
            }
            state = .ground
            return sequence(byte, parameters)
        case .paste: return paste(byte)
        }
    }

    private func ascii(_ byte: UInt8) -> String { String(Character(Unicode.Scalar(byte))) }

    private mutating func ground(_ byte: UInt8) -> Key? {
        guard byte < 0x80 else { return part(byte) }
        character = []
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: return .enter
        case 0x09: return .tab
        case 0x7F, 0x08: return .backspace
        case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1F: return .control("_")
        case 0x00...0x1F: return nil
        default: return .text(ascii(byte))
        }
        return nil
    }

    /// One byte of a character of several; invalid UTF-8 is skipped.
    private mutating func part(_ byte: UInt8) -> Key? {
        if byte >= 0xC0 { character = [] }
        character.append(byte)
        let first = character[0]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard character.count >= length else { return nil }
        defer { character = [] }
        guard length > 1, let text = String(validating: character, as: UTF8.self) else { return nil }
        // The controls of Latin 1, and marks that turn the direction of what follows, are not text.
        return text.unicodeScalars.allSatisfy(KeyDecoder.isText) ? .text(text) : nil
    }

    private mutating func escape(_ byte: UInt8) -> Key? {
        state = .ground
        switch byte {
        case UInt8(ascii: "["): state = .sequence("")
        case UInt8(ascii: "O"): state = .singleShift
        case 0x1B: state = .escape
        case 0x0D, 0x0A: return .newLine
        case 0x7F, 0x08: return .deleteWordBack
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case UInt8(ascii: "d"): return .deleteWord
        case 0x20..<0x7F: return .alt(Character(Unicode.Scalar(byte)))
        default: return ground(byte)
        }
        return nil
    }

    private mutating func sequence(_ letter: UInt8, _ parameters: String) -> Key? {
        let parts = parameters.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        let modifier = parts.count > 1 ? parts[1] : ""
        guard letter == UInt8(ascii: "~") else { return KeyDecoder.cursorKey(letter, modifier: modifier) }
        switch parts.first {
        case "1", "7": return .home
        case "4", "8": return .end
        case "3": return modifier.isEmpty ? .delete : .deleteWord
        case "5": return .pageUp
        case "6": return .pageDown
        case "200":
            state = .paste
            pasted = []
            return nil
        default: return nil
        }
    }

    /// - Parameter modifier: as xterm sends it: `5` Ctrl, `3` Alt.
    private static func cursorKey(_ letter: UInt8, modifier: String) -> Key? {
        switch letter {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): modifier.isEmpty ? .right : .wordRight
        case UInt8(ascii: "D"): modifier.isEmpty ? .left : .wordLeft
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "Z"): .backTab
        default: nil
        }
    }

    // MARK: - Pasting

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private mutating func paste(_ byte: UInt8) -> Key? {
        // Full: room is kept for the end mark alone.
        if pasted.count >= KeyDecoder.longestPaste + KeyDecoder.pasteEnd.count {
            pasted.remove(at: KeyDecoder.longestPaste)
        }
        pasted.append(byte)
        let end = KeyDecoder.pasteEnd
        guard byte == end.last, pasted.suffix(end.count).elementsEqual(end) else { return nil }
        state = .ground
        defer { pasted = [] }
        return .paste(KeyDecoder.text(ofPaste: pasted.dropLast(end.count)))
    }

    /// A key's sequence cannot hide in what is inserted: of the controls only line ends and tabs are kept.
    private static func text(ofPaste bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var previous: Unicode.Scalar = "\0"
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            defer { previous = scalar }
            if scalar == "\n" && previous == "\r" { continue }
            if scalar == "\r" || scalar == "\n" {
                text.append("\n")
            } else if scalar == "\t" || isText(scalar) {
                text.append(scalar)
            }
        }
        // The line end behind the last line is Enter's, which the person presses.
        while text.last == "\n" { text.removeLast() }
        return String(text)
    }

    private static func isText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0: false
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFD: false
        default: true
        }
    }
}
