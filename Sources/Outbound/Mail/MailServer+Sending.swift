import CCurl

extension MailServer {
    /// Hands a message over to the server, for all recipients or for none.
    ///
    /// - Parameters:
    ///   - message: by RFC 5322, its lines ended by CR LF.
    ///   - from: whom the server tells if it cannot deliver it after all.
    ///   - kept: a connection to this server that earlier messages went over; it is left open for the next.
    ///   - isStopped: asked now and then on this thread; true calls it off.
    /// - Throws: ``OutboundFailure``. A reply 5xx to sender, recipient or message is final; so nothing is that concerns the
    ///   connection, the encryption or the password.
    package func send(
        _ message: [UInt8], from: EmailAddress, to recipients: [EmailAddress], over kept: KeptConnection? = nil,
        isStopped: @escaping () -> Bool = { false }
    ) throws(OutboundFailure) {
        guard !recipients.isEmpty else { throw OutboundFailure(.badAddress, "There is no recipient.") }
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
        try transfer.set(CURLOPT_MAIL_FROM, "<\(from)>")
        try transfer.set(CURLOPT_MAIL_RCPT, recipients.map { "<\($0)>" })
        try transfer.set(CURLOPT_UPLOAD, 1)
        transfer.setUpload(message)
        return transfer.run()
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

    /// What the server's last reply means, where one ended the transfer. What it says before it has heard of a message (its
    /// greeting, a refused `EHLO`) is about itself.
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
