import CCurl

extension OutboundFailure {
    /// What a transfer that failed below the protocol says, the same for mail and web.
    ///
    /// - Parameter place: host and port, for the message.
    init(_ result: CurlTransfer.Result, at place: String) {
        let words = OutboundText.line(result.words)
        let code: Code =
            switch result.code {
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: result.isConnected ? .badAnswer : .badAddress
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_ABORTED_BY_CALLBACK: .stopped
            case CURLE_LOGIN_DENIED: .signIn
            case CURLE_USE_SSL_FAILED, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
                .insecure
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .cutOff
            default: .badAnswer
            }
        self.init(code, "\(place): \(words)", status: result.status == 0 ? nil : result.status)
        wasSent = result.isUploaded
    }
}

/// Texts of others, made fit for one line of a message of ours.
enum OutboundText {
    static func line(_ text: String, limit: Int = 300) -> String {
        let scalars = text.unicodeScalars.prefix(limit).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate: " "
            default: scalar
            }
        }
        var line = ""
        line.unicodeScalars.append(contentsOf: scalars)
        return line
    }
}
