import Circulation
import Foundation
import Languages
import Outbound
import Reports
import TextFormats

/// Mails the answer of a script, once.
struct ReportMailing {
    let post: ReportPost
    /// The name of the script, or the evaluated expression.
    let source: String
    let languages: Languages
    let clock: any Clock

    /// - Parameters:
    ///   - bytes: the answer in its format; a table becomes the text of the mail, other formats are attached.
    ///   - path: the file that it was written to, nil if none.
    /// - Throws: ``CommandFailure``.
    func send(
        _ bytes: Data, _ document: ReportDocument, _ format: ReportOutput, _ path: String?, _ console: Console
    ) throws {
        let name = URL(filePath: source).deletingPathExtension().lastPathComponent
        let file = path ?? "\(name).\(format.fileExtension)"
        let isText = format == .table && path == nil
        let attached = isText ? nil : ReportPost.attachment(file, bytes)
        if bytes.count > ReportPost.largest {
            throw CommandFailure(.refused, code: "too_large", message: "The report is too large for a mail.")
        }
        let language = document.language.map(languages.speaking) ?? languages.standard
        let letter = ReportLetter.letter(
            document, name, text: isText ? String(decoding: bytes, as: UTF8.self) : nil, attached: attached,
            in: language)
        guard let id = MessageID(left: UUID().uuidString, right: "\(post.mail.from.address.domain)") else {
            throw CommandFailure(.refused, code: "bad_address", message: "The sender's domain is none.")
        }
        do throws(OutboundFailure) {
            try post.send(letter, id: id, date: clock.now())
        } catch {
            throw CommandFailure(error)
        }
        console.note(SafeText.line("Mailed to \(post.to.joined(separator: ", "))."))
    }
}
