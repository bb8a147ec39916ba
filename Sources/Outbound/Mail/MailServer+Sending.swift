import CCurl
package import Circulation

extension MailServer {
    /// Hands a message over to the server, for all recipients or for none.
    ///
    /// - Parameters:
    ///   - message: by RFC 5322, its lines ended by CR LF.
    ///   - from: the address to which the server reports failed delivery.
    ///   - kept: a connection to this server that earlier messages went over; it is left open for the next.
    ///   - isStopped: asked now and then on this thread; true calls it off.
    /// - Throws: ``OutboundFailure``. A reply 5xx to sender, recipient or message is final, and an address with more
    ///   than ASCII before its `@` where the server does not speak SMTPUTF8; so nothing is that concerns the
    ///   connection, the encryption or the password.
    package func send(
        _ message: [UInt8], from: EmailAddress, to recipients: [EmailAddress], over kept: KeptConnection? = nil,
        isStopped: @escaping () -> Bool = { false }
    ) throws(OutboundFailure) {
        guard !recipients.isEmpty else { throw OutboundFailure(.badAddress, "There is no recipient.") }
        if ([from] + recipients).contains(where: \.isInternational) { try checkInternational(isStopped) }
        var result = try transfer(message, from: from, to: recipients, over: kept, isStopped: isStopped)
        // A server may have had enough of a connection, in its own words or without any; that is not about the message,
        // which it never had.
        if result.isReused, !result.isUploaded, ![CURLE_OK, CURLE_ABORTED_BY_CALLBACK].contains(result.code) {
            kept?.close()
            result = try transfer(message, from: from, to: recipients, over: kept, isStopped: isStopped)
        }
        guard result.code != CURLE_OK else { return }
        throw failure(result)
    }

    private func transfer(
        _ message: [UInt8], from: EmailAddress, to recipients: [EmailAddress], over kept: KeptConnection?,
        isStopped: @escaping () -> Bool
    ) throws(OutboundFailure) -> CurlTransfer.Result {
        let transfer = try transfer(over: kept, isStopped: isStopped)
        try transfer.set(CURLOPT_MAIL_FROM, "<\(from)>")
        try transfer.set(CURLOPT_MAIL_RCPT, recipients.map { "<\($0)>" })
        try transfer.set(CURLOPT_UPLOAD, 1)
        transfer.setUpload(message)
        return transfer.run()
    }

    /// Asks the server, over a connection of its own, whether it takes addresses with more than ASCII before the `@`:
    /// libcurl sends such a recipient to a server that never announced it, and the outcome of that is anyone's
    /// guess.
    private func checkInternational(_ isStopped: @escaping () -> Bool) throws(OutboundFailure) {
        let asking = try transfer(over: nil, isStopped: isStopped)
        try asking.set(CURLOPT_CUSTOMREQUEST, "NOOP")
        try asking.set(CURLOPT_NOBODY, 1)
        try asking.keepReplies()
        let result = asking.run()
        guard result.code == CURLE_OK else { throw failure(result) }
        // What counts is what it said last: behind STARTTLS it introduces itself anew.
        let last = result.replies.lastIndex { $0.hasPrefix("220") } ?? 0
        let words = result.replies[last...].map { $0.dropFirst(4).uppercased() }
        guard !words.contains(where: { $0 == "SMTPUTF8" || $0.hasPrefix("SMTPUTF8 ") }) else { return }
        throw OutboundFailure(
            .badAddress,
            "\(place): the mail server takes no e-mail address with other than ASCII letters before the @ (SMTPUTF8)")
    }

    /// A transfer to the server that says nothing yet.
    private func transfer(
        over kept: KeptConnection?, isStopped: @escaping () -> Bool
    ) throws(OutboundFailure) -> CurlTransfer {
        let transfer = try CurlTransfer(
            url, protocols: "smtp,smtps", limits: limits, kept: kept, isStopped: isStopped)
        let use =
            switch encryption {
            case .required: CURLUSESSL_ALL
            case .optional: CURLUSESSL_TRY
            case .none: CURLUSESSL_NONE
            }
        try transfer.set(CURLOPT_USE_SSL, Int(use.rawValue))
        if let authorities { try transfer.set(CURLOPT_CAINFO, authorities) }
        if let user {
            try transfer.set(CURLOPT_USERNAME, user)
            try transfer.set(CURLOPT_PASSWORD, password ?? "")
        }
        return transfer
    }

    private func failure(_ result: CurlTransfer.Result) -> OutboundFailure {
        let general = OutboundFailure(result, at: place)
        switch result.code {
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_REMOTE_ACCESS_DENIED,
            CURLE_QUOTE_ERROR:
            return reply(result, general)
        default:
            return general
        }
    }

    /// What the server's last reply means, where one ended the transfer. What it says before it has heard of a message
    /// (its greeting, a refused `EHLO`) is about itself.
    private func reply(_ result: CurlTransfer.Result, _ general: OutboundFailure) -> OutboundFailure {
        let isAboutMessage =
            result.words.hasPrefix("MAIL failed") || result.words.hasPrefix("RCPT failed")
            || result.words.hasPrefix("DATA failed") || result.words.hasPrefix("Command failed") || result.isUploaded
        var failure = general
        // libcurl does not always tell which reply it was.
        if result.status >= 400, !result.words.contains("\(result.status)") {
            failure.message += " (reply \(result.status))"
        }
        switch result.status {
        case 500...599 where isAboutMessage: failure.code = .refused
        case 400...599: failure.code = .temporary
        default: break
        }
        return failure
    }
}
