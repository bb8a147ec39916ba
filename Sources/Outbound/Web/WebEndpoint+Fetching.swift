import CCurl

extension WebEndpoint {
    /// Fetches a document at an address that a user gave, such as a picture: over https, from a public address alone,
    /// after at most three redirects to such places.
    ///
    /// - Parameters:
    ///   - accept: the types that are wanted, as `image/*`.
    ///   - staysPublic: false lets it go to this machine and its network too, over http as well: for tests.
    /// - Returns: the whole answer, whose status is 2xx.
    /// - Throws: ``OutboundFailure``, for an answer longer than the limit too.
    package func fetch(
        accept: String, staysPublic: Bool = true, isStopped: @escaping () -> Bool = { false }
    ) throws(OutboundFailure) -> WebResponse {
        guard let accept = WebHeader("Accept", accept) else {
            throw OutboundFailure(.badAddress, "'\(OutboundText.line(accept))' is not a type of content.")
        }
        let protocols = staysPublic ? "https" : "http,https"
        let transfer = try transfer(to: url, isStopped)
        try transfer.set(CURLOPT_PROTOCOLS_STR, protocols)
        try transfer.set(CURLOPT_HTTPHEADER, [accept.line])
        try transfer.set(CURLOPT_FOLLOWLOCATION, 1)
        try transfer.set(CURLOPT_MAXREDIRS, 3)
        try transfer.set(CURLOPT_REDIR_PROTOCOLS_STR, protocols)
        if staysPublic { try transfer.restrict(to: .publicOnly) }
        let result = transfer.run()
        if transfer.isAnswerCut {
            throw OutboundFailure(.badAnswer, "\(place): the answer is longer than \(limits.answerBytes) bytes")
        }
        guard result.code == CURLE_OK else { throw OutboundFailure(result, at: place) }
        return try answer(WebResponse(status: result.status, body: result.answer))
    }
}
