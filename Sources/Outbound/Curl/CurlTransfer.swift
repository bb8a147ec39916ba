import CCurl
import Glibc

/// One transfer of libcurl: options, what goes out, what comes back.
///
/// Not `Sendable`: it lives on one thread, for one transfer. Nothing of the environment counts (no proxy, no `.netrc`), and
/// no redirect is followed unless it is asked for.
final class CurlTransfer {
    private let handle: UnsafeMutableRawPointer
    private let kept: KeptConnection?
    /// Whether the handle comes from an earlier transfer, and may have its connection.
    private let isAnother: Bool
    private let errorText: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let limits: OutboundLimits
    private let isStopped: () -> Bool
    private var upload: ArraySlice<UInt8> = []
    private var answer: [UInt8] = []
    private var replies: [UInt8] = []
    /// Whether the answer went on beyond the limit.
    private(set) var isAnswerCut = false

    /// libcurl wants to be set up once in a process, before anything else.
    private static let isReady = curl_begin() == CURLE_OK

    /// - Parameters:
    ///   - kept: the connection of an earlier transfer to the same place, which this one uses and leaves open.
    ///   - isStopped: asked now and then; true ends the transfer.
    init(
        _ url: String, protocols: String, limits: OutboundLimits, kept: KeptConnection? = nil,
        isStopped: @escaping () -> Bool
    ) throws(OutboundFailure) {
        let earlier = kept?.take()
        guard Self.isReady, let handle = earlier ?? curl_easy_init() else {
            throw OutboundFailure(.unreachable, "libcurl cannot be set up.")
        }
        self.handle = handle
        self.kept = kept
        isAnother = earlier != nil
        self.limits = limits
        self.isStopped = isStopped
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try set(CURLOPT_PROTOCOLS_STR, protocols)
        try set(CURLOPT_URL, url)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, limits.connecting.milliseconds)
        try set(CURLOPT_TIMEOUT_MS, limits.inAll.milliseconds)
        try check(curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
        try setCallbacks()
    }

    deinit {
        if let kept { kept.giveBack(handle) } else { curl_easy_cleanup(handle) }
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
    }

    func set(_ option: CURLoption, _ text: String) throws(OutboundFailure) {
        // libcurl would end a text at a NUL and send the rest of nothing.
        guard !text.utf8.contains(0) else { throw OutboundFailure(.badAddress, "A NUL byte stands in an option.") }
        try check(curl_set_text(handle, option, text))
    }

    func set(_ option: CURLoption, _ number: Int) throws(OutboundFailure) {
        try check(curl_set_number(handle, option, number))
    }

    func set(_ option: CURLoption, _ texts: [String]) throws(OutboundFailure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            guard let longer = curl_slist_append(list, text) else {
                curl_slist_free_all(list)
                throw OutboundFailure(.unreachable, "There is no memory.")
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(curl_set_pointer(handle, option, list))
    }

    /// Lets it connect to some addresses alone, whatever a name leads to.
    func restrict(to reach: WebReach) throws(OutboundFailure) {
        guard let opener = reach.opener else { return }
        try check(curl_set_socket_opener(handle, opener))
    }

    /// Bytes that are sent as the other side asks for them.
    func setUpload(_ bytes: [UInt8]) {
        upload = bytes[...]
    }

    /// Has the lines kept that a mail server says, or the fields of an answer, as far as the limit of an answer allows.
    func keepReplies() throws(OutboundFailure) {
        try check(
            curl_set_pointer(handle, CURLOPT_HEADERDATA, Unmanaged.passUnretained(self).toOpaque()))
        try check(
            curl_set_transfer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlTransfer.of(context)?.keep(bytes, size * count) ?? 0
            })
    }

    /// What came of a transfer.
    struct Result {
        var code: CURLcode
        /// The status of the protocol's last reply, 0 where there was none.
        var status: Int
        var answer: [UInt8]
        /// The lines that a mail server said, or the fields of an answer, where they were kept.
        var replies: [Substring]
        /// For how long a web server wants to be left alone, in seconds; 0: it did not say.
        var pause: Int
        /// libcurl's own words.
        var words: String
        /// Whether all that was to go out went out.
        var isUploaded: Bool
        /// Whether a connection came about, or was there.
        var isConnected: Bool
        /// Whether it went over the connection of an earlier transfer.
        var isReused: Bool
    }

    func run() -> Result {
        let code = curl_easy_perform(handle)
        var words = String(cString: errorText)
        if words.isEmpty { words = String(cString: curl_easy_strerror(code)) }
        let isNew = number(CURLINFO_NUM_CONNECTS) > 0
        return Result(
            code: code, status: number(CURLINFO_RESPONSE_CODE), answer: answer,
            replies: String(decoding: replies, as: UTF8.self).split(whereSeparator: \.isNewline),
            pause: pause, words: words,
            isUploaded: upload.isEmpty, isConnected: isNew || isAnother, isReused: isAnother && !isNew)
    }

    private var pause: Int {
        var seconds: curl_off_t = 0
        return curl_get_size(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? Int(clamping: seconds) : 0
    }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        return curl_get_number(handle, info, &number) == CURLE_OK ? number : 0
    }

    private func check(_ code: CURLcode) throws(OutboundFailure) {
        guard code == CURLE_OK else {
            throw OutboundFailure(
                .badAddress, "libcurl does not take an option: \(String(cString: curl_easy_strerror(code)))")
        }
    }
}

// MARK: - What libcurl calls

extension CurlTransfer {
    private func setCallbacks() throws(OutboundFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_READDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA] {
            try check(curl_set_pointer(handle, option, context))
        }
        try check(
            curl_set_transfer(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
                CurlTransfer.of(context)?.give(to: bytes, size * count) ?? 0
            })
        try check(
            curl_set_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlTransfer.of(context)?.take(bytes, size * count) ?? 0
            })
        try set(CURLOPT_NOPROGRESS, 0)
        try check(
            curl_set_progress(handle) { context, _, _, _, _ in
                CurlTransfer.of(context)?.isStopped() == true ? 1 : 0
            })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func give(to bytes: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
        guard let bytes else { return 0 }
        let piece = upload.prefix(room)
        piece.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            memcpy(bytes, start, source.count)
        }
        upload = upload.dropFirst(piece.count)
        return piece.count
    }

    /// - Returns: fewer than there are, which ends the transfer, once the limit is reached.
    private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        let room = max(0, limits.answerBytes - answer.count)
        let piece = UnsafeRawBufferPointer(start: bytes, count: min(count, room))
        answer.append(contentsOf: piece)
        if count > room { isAnswerCut = true }
        return piece.count
    }

    private func keep(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        let room = max(0, limits.answerBytes - replies.count)
        replies.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: min(count, room)))
        return count
    }
}
