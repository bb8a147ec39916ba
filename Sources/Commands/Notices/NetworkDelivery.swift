import Circulation
import Desk
import Languages
import Outbound
import Secrets
import TextFormats

/// Sends messages over the network, by the configured channels.
struct NetworkDelivery: Delivery {
    let settings: DeliverySettings
    /// In which the desk's own words are said.
    let languages: Languages
    /// The clock for the time in a signature.
    let clock: any Clock
    let isStopped: () -> Bool
    /// The connection to the mail server, kept between messages.
    private let connection = KeptConnection()

    init(settings: DeliverySettings, languages: Languages = .shipped, clock: any Clock, isStopped: @escaping () -> Bool)
    {
        self.settings = settings
        self.languages = languages
        self.clock = clock
        self.isStopped = isStopped
    }

    var channels: Set<String> { Set(settings.web.keys).union(settings.mail == nil ? [] : [NoticeChannel.email.name]) }

    var timeLimit: Duration { settings.limits.inAll }

    func messagesAMinute(by channel: String) -> Int? {
        channel == NoticeChannel.email.name ? settings.mail?.perMinute : settings.web[channel]?.perMinute
    }

    func quietHours(of channel: String) -> QuietHours? { settings.quietHours(of: channel) }

    func deliver(_ consignment: Consignment) -> DeliveryOutcome {
        // The desk's own words are English; a policy's are in the patron's language already.
        let language = languages.spoken(to: consignment.recipient.language)
        var consignment = consignment
        consignment.notice.subject = language.sentence(consignment.notice.subject)
        consignment.notice.body = language.sentence(consignment.notice.body)
        let gathered = consignment.gathered.map { GatheredMail($0, to: consignment.recipient, in: language) }
        do throws(OutboundFailure) {
            if consignment.notice.channel == NoticeChannel.email.name, let mail = settings.mail {
                try send(consignment, gathered, by: mail)
            } else if let web = settings.web[consignment.notice.channel] {
                try post(consignment, to: web)
            } else {
                throw OutboundFailure(.unreachable, "The channel '\(consignment.notice.channel)' is not set up here.")
            }
            return .delivered
        } catch {
            return error.code == .stopped ? .stopped : .failed(DeliveryFault(error))
        }
    }

    private func send(
        _ consignment: Consignment, _ gathered: GatheredMail?, by mail: DeliverySettings.Mail
    ) throws(OutboundFailure) {
        let (notice, patron) = (consignment.notice, consignment.recipient)
        let language = languages.spoken(to: patron.language)
        guard let address = EmailAddress(patron.email ?? "") else {
            throw OutboundFailure(.badAddress, "The e-mail address is not one that mail can be sent to.")
        }
        guard
            let id = MessageID(
                left: consignment.identity, right: "\(consignment.library.prefix(16)).moonshelf")
        else { throw OutboundFailure(.badAddress, "The library's id is none.") }
        let (code, isRightToLeft) = (patron.language ?? language.code, language.direction == .rightToLeft)
        let html =
            gathered.map { $0.text.html(title: $0.subject, language: code, isRightToLeft: isRightToLeft) }
            ?? MailPage.html(
                notice.body, title: notice.subject, language: code, isRightToLeft: isRightToLeft)
        let message = MailMessage(
            id: id, date: notice.createdAt, from: mail.from, replyTo: mail.replyTo,
            to: [MailParty(name: "\(patron.name) \(patron.surname)", address: address)],
            subject: gathered?.subject ?? notice.subject, text: gathered?.text.plain ?? notice.body, html: html)
        try mail.server.send(
            message.bytes(), from: mail.from.address, to: [address], over: connection, isStopped: isStopped)
    }

    private func post(_ consignment: Consignment, to web: DeliverySettings.Web) throws(OutboundFailure) {
        let body = Array(Self.body(of: consignment).text().utf8)
        let headers = Self.headers(of: body, consignment.identity, at: clock.now(), secret: web.secret)
        _ = try web.endpoint.post(
            body, type: "application/json; charset=utf-8", headers: headers, isStopped: isStopped)
    }

    /// The body of a post, as `docs/delivery.md` describes it.
    static func body(of consignment: Consignment) -> JSON {
        let (notice, patron) = (consignment.notice, consignment.recipient)
        var object: JSONObject = [
            "id": .string(consignment.identity), "channel": .string(notice.channel), "kind": .string(notice.kind),
            "stage": .string(notice.stage), "created_at": .string(notice.createdAt.description),
            "subject": .string(notice.subject), "text": .string(notice.body),
        ]
        if NoticeChannel.named(notice.channel)?.address == .phone {
            object["to"] = .string(patron.phone ?? "")
        } else {
            object["patron"] = ["id": .integer(patron.id), "username": .string(patron.username)]
            object["loan"] = notice.loan.map { .integer($0) } ?? .null
            object["due_at"] = notice.dueAt.map { .string($0.description) } ?? .null
        }
        return .object(object)
    }

    /// The signature covers time, id and body, so that none of them can be exchanged.
    static func headers(of body: [UInt8], _ id: String, at moment: Instant, secret: [UInt8]) -> [WebHeader] {
        let signed = Array("\(moment.seconds).\(id).".utf8) + body
        let code = MessageAuthentication.code(of: signed, secret: secret)
        return [
            WebHeader("Idempotency-Key", id), WebHeader("Moonshelf-Signature", "t=\(moment.seconds),v1=\(code)"),
        ].compactMap { $0 }
    }
}

extension DeliveryFault {
    init(_ failure: OutboundFailure) {
        self.init(
            failure.code.rawValue, failure.message, isFinal: failure.isFinal,
            concernsChannel: failure.concernsEveryone, mayHaveArrived: failure.mayHaveArrived)
    }
}
