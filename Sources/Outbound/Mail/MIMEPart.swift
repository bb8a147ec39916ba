import Circulation

/// A part of a message: its own header fields and what follows, encoded.
struct MIMEPart {
    private var header = MailHeader()
    private var body: [UInt8]

    var bytes: [UInt8] { Array(header.text.utf8) + [0x0D, 0x0A] + body }

    /// A text in UTF-8: quoted-printable where most of it is ASCII, base64 elsewhere.
    init(text: String, type: String) {
        let lines = Self.lines(text)
        let foreign = text.utf8.count { $0 >= 0x80 }
        let takesBase64 = foreign > text.utf8.count / 4
        header.add("Content-Type", "\(type); charset=utf-8")
        header.add("Content-Transfer-Encoding", takesBase64 ? "base64" : "quoted-printable")
        body =
            takesBase64
            ? Base64.encodeInLines(Array(lines.joined(separator: [0x0D, 0x0A])))
            : QuotedPrintable.encode(lines: lines)
    }

    init(_ attachment: MailMessage.Attachment) {
        let name = FileName(attachment.name)
        header.add("Content-Type", "\(Self.type(attachment.type));\r\n name=\"\(name.ascii)\"")
        header.add("Content-Transfer-Encoding", "base64")
        header.add("Content-Disposition", "attachment;\r\n \(name.parameters.joined(separator: ";\r\n "))")
        body = Base64.encodeInLines(attachment.bytes)
    }

    init(multipart kind: String, _ parts: [MIMEPart], boundary: String) {
        header.add("Content-Type", "multipart/\(kind);\r\n boundary=\"\(boundary)\"")
        body = []
        for part in parts { body += Array("--\(boundary)\r\n".utf8) + part.bytes + [0x0D, 0x0A] }
        body += Array("--\(boundary)--\r\n".utf8)
    }

    /// The lines of a text, whatever ends them; other controls than tabs are left out.
    private static func lines(_ text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\r", "\n": lines.append([])
            case "\t": lines[lines.count - 1].append(0x09)
            case _ where scalar.properties.generalCategory == .control: break
            default: lines[lines.count - 1] += Array(String(scalar).utf8)
            }
            last = scalar
        }
        return lines
    }

    private static func type(_ text: String) -> String {
        let isType =
            text.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && text.utf8.allSatisfy { EmailAddress.isAtom($0) || $0 == UInt8(ascii: ".") } && text.utf8.count < 100
            && !text.hasPrefix("/") && !text.hasSuffix("/")
        return isType ? text : "application/octet-stream"
    }
}

/// The name of an attached file: no folder, no controls, not hidden.
private struct FileName {
    private let name: String

    init(_ text: String) {
        let scalars = EncodedWords.oneLine(text).unicodeScalars
        let last = scalars.split { $0 == "/" || $0 == "\\" }.last ?? scalars[scalars.endIndex...]
        let visible = last.drop { $0 == "." }.prefix(60)
        name = visible.isEmpty ? "file" : String(String.UnicodeScalarView(visible))
    }

    /// The name where only ASCII is understood.
    var ascii: String {
        String(
            decoding: name.unicodeScalars.map { scalar -> UInt8 in
                let isSafe = scalar.isASCII && scalar != "\"" && scalar != "%" && scalar != "=" && scalar.value >= 0x20
                return isSafe && scalar.value < 0x7F ? UInt8(scalar.value) : UInt8(ascii: "_")
            }, as: UTF8.self)
    }

    /// RFC 2231's form for other scripts, in pieces that fit on lines.
    var parameters: [String] {
        guard ascii != name else { return ["filename=\"\(ascii)\""] }
        var pieces: [String] = [""]
        for byte in name.utf8 {
            let isPlain =
                byte < 0x80 && EmailAddress.isAtom(byte) && !"*'%".utf8.contains(byte) || byte == UInt8(ascii: ".")
            let text = isPlain ? String(UnicodeScalar(byte)) : "%" + QuotedPrintable.hexadecimal(byte)
            if (pieces.last?.utf8.count ?? 0) + text.utf8.count > 50 { pieces.append("") }
            pieces[pieces.count - 1] += text
        }
        return pieces.enumerated().map { "filename*\($0.offset)*=\($0.offset == 0 ? "UTF-8''" : "")\($0.element)" }
    }
}
