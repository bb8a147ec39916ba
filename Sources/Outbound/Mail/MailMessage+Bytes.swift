import Circulation
import TextFormats

extension MailMessage {
    /// The message by RFC 5322 and MIME, its lines ended by CR LF; the same bytes for the same message.
    ///
    /// Names, subject and file names may hold anything: nothing in them ends a header.
    package func bytes() -> [UInt8] {
        var head = MailHeader()
        head.add("Date", date.mailDate)
        head.add("From", parties: [from])
        if let replyTo { head.add("Reply-To", parties: [replyTo]) }
        head.add("To", parties: to)
        head.add("Subject", text: subject)
        head.add("Message-ID", "<\(id)>")
        head.add("Auto-Submitted", "auto-generated")
        head.add("MIME-Version", "1.0")
        return Array(head.text.utf8) + content.bytes
    }

    private var content: MIMEPart {
        let plain = MIMEPart(text: text, type: "text/plain")
        let body =
            html.map { page in
                MIMEPart(
                    multipart: "alternative", [plain, MIMEPart(text: page, type: "text/html")],
                    boundary: boundary("alternative"))
            } ?? plain
        guard !attachments.isEmpty else { return body }
        return MIMEPart(multipart: "mixed", [body] + attachments.map(MIMEPart.init), boundary: boundary("mixed"))
    }

    /// `=_` stands in no encoded part, so that no part can hold a boundary.
    private func boundary(_ name: String) -> String {
        "=_" + SHA256.hexadecimal(of: Array("\(name) \(id)".utf8)).prefix(32)
    }
}

extension Instant {
    /// As RFC 5322, section 3.3 has it, in UTC: `Thu, 24 Dec 2026 18:00:00 +0000`
    package var mailDate: String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = seconds - days * 86_400
        guard let date = try? CivilDate(dayNumber: days) else { return "Thu, 01 Jan 1970 00:00:00 +0000" }
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekday = weekdays[Int(((days % 7) + 7) % 7)]
        let clock = [time / 3_600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(Self.padded(Int64(date.day), 2)) \(months[date.month - 1]) "
            + "\(Self.padded(Int64(date.year), 4)) \(clock) +0000"
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
