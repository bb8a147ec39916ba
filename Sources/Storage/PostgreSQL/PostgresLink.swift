import CPostgres
import Glibc

/// A connection to a server, as libpq has it. One owner.
final class PostgresLink {
    /// Why a connection could not be made.
    struct Refusal: Error {
        let error: StoreError
        /// Whether the same may go well in a moment: the server is starting, or is not there.
        let isPassing: Bool
    }

    /// Warnings of the server since the last look, which libpq reports from within its own calls.
    private final class Warnings {
        var count = 0
    }

    private let handle: OpaquePointer
    private let address: PostgresAddress
    private let warnings = Warnings()

    /// - Parameter attempt: how often it was tried before.
    /// - Throws: ``Refusal``.
    init(_ address: PostgresAddress, attempt: Int) throws(Refusal) {
        let made = address.withParameters(attempt: attempt) { keywords, values in
            PQconnectdbParams(keywords, values, 1)
        }
        guard let made else {
            throw Refusal(error: .unreachable(address.shown, "there is no memory for a connection"), isPassing: false)
        }
        guard PQstatus(made) == CONNECTION_OK else {
            let why = address.covered(PQerrorMessage(made).map { String(cString: $0) } ?? "")
            PQfinish(made)
            throw Self.refusal(of: address, why)
        }
        handle = made
        self.address = address
        // One sentence, without the values and statements of a detail or context.
        PQsetErrorVerbosity(handle, PQERRORS_TERSE)
        // libpq would write them to standard error.
        PQsetNoticeReceiver(
            handle,
            { context, _ in
                guard let context else { return }
                Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue().count += 1
            }, Unmanaged.passUnretained(warnings).toOpaque())
    }

    deinit {
        PQfinish(handle)
    }

    /// A server that answers and yet refuses will go on doing so; one that is not of the kind asked for may become it,
    /// as a standby does whose primary was lost.
    private static func refusal(of address: PostgresAddress, _ why: String) -> Refusal {
        switch address.withParameters({ keywords, values in PQpingParams(keywords, values, 1) }) {
        case PQPING_OK where address.asksForKind && letsIn(address):
            Refusal(error: .unreachable(address.shown, why), isPassing: true)
        case PQPING_OK: Refusal(error: .cannotOpen(address.shown, why), isPassing: false)
        case PQPING_NO_ATTEMPT:
            Refusal(error: .badLocation("\(address.shown) cannot be used: \(why)"), isPassing: false)
        default: Refusal(error: .unreachable(address.shown, why), isPassing: true)
        }
    }

    /// Whether one of the servers lets us in, of whatever kind it is.
    private static func letsIn(_ address: PostgresAddress) -> Bool {
        let made = address.withParameters(anyKind: true) { keywords, values in PQconnectdbParams(keywords, values, 1) }
        defer { PQfinish(made) }
        return PQstatus(made) == CONNECTION_OK
    }

    var isBroken: Bool { isGivenUp || PQstatus(handle) != CONNECTION_OK }

    private var isGivenUp = false

    /// Whether no transaction is open.
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// Whether the open transaction can only be undone.
    var hasFailed: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// The server's version: 150018.
    var version: Int { Int(PQserverVersion(handle)) }

    /// What breaks off a statement from another thread; its owner frees it.
    func canceller() -> OpaquePointer? { PQgetCancel(handle) }

    /// Runs statements that stand in one text, and gives the answer to the last one.
    @discardableResult
    func run(_ text: String) throws(StoreError) -> PostgresResult { try checked(PQexec(handle, text)) }

    /// Runs statements that stand in one text, and gives all answers as they are, a failure as the last.
    ///
    /// - Parameter seconds: how long to wait for each; nil: for ever. A connection that is late is given up.
    func answers(to text: String, within seconds: Double? = nil) -> [PostgresResult] {
        guard PQsendQuery(handle, text) == 1 else { return [] }
        var answers: [PostgresResult] = []
        while seconds == nil || isAnswered(within: seconds ?? 0), let result = PQgetResult(handle) {
            answers.append(PostgresResult(result))
        }
        return answers
    }

    /// Waits until an answer is there, or until it is certain that there will be none.
    ///
    /// - Returns: false if the time is over; the connection is broken then.
    private func isAnswered(within seconds: Double) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while PQisBusy(handle) == 1 {
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&socket, 1, Int32(left.rounded(.up))) >= 0 else {
                // Nothing that it says later may be taken for an answer to something else.
                shutdown(PQsocket(handle), Int32(SHUT_RDWR))
                isGivenUp = true
                return false
            }
            if PQconsumeInput(handle) == 0 { return true }
        }
        return true
    }

    /// Whether the server has warned of anything since the last time this was asked.
    func takeWarnings() -> Bool {
        defer { warnings.count = 0 }
        return warnings.count > 0
    }

    func run(_ text: String, _ values: CStrings) throws(StoreError) -> PostgresResult {
        try checked(
            values.withPointers { PQexecParams(handle, text, Int32(values.count), nil, $0, nil, nil, 0) })
    }

    /// The columns that a prepared statement gives.
    func columns(ofPrepared name: String) throws(StoreError) -> [PostgresBoundedQuery.Column] {
        let described = try checked(PQdescribePrepared(handle, name))
        return (0..<described.columnCount).map {
            PostgresBoundedQuery.Column(name: described.fieldName($0), type: described.type($0))
        }
    }

    /// One of the things that can be sent to the server together.
    enum Step {
        case text(String, CStrings)
        case preparing(name: String, text: String)
        case prepared(name: String, CStrings)
    }

    /// Sends steps in one message and gives the answers to them, as far as they were carried out: a failure is the
    /// last, and what came after it was left out.
    ///
    /// - Parameter seconds: how long to wait for each answer; nil: for ever. A connection that is late is given up.
    /// - Returns: `isWhole` is false if the connection went away before the last answer.
    func answers(to steps: [Step], within seconds: Double? = nil) -> (results: [PostgresResult], isWhole: Bool) {
        var results: [PostgresResult] = []
        let isWhole = PQenterPipelineMode(handle) == 1 && sendAll(steps) && collect(&results, within: seconds)
        // Only an idle pipeline can be left; what another one still says must not be taken for an answer to something
        // else.
        if !isWhole || PQexitPipelineMode(handle) != 1 { isGivenUp = true }
        return (results, isWhole)
    }

    private func sendAll(_ steps: [Step]) -> Bool { steps.allSatisfy(send) && PQpipelineSync(handle) == 1 }

    /// Each answer is followed by nothing, and all of them by that to the synchronisation. Nothing twice means that the
    /// connection has ended, which its status need not tell yet.
    ///
    /// - Returns: whether all answers have come.
    private func collect(_ results: inout [PostgresResult], within seconds: Double?) -> Bool {
        var cameNothing = false
        while seconds == nil || isAnswered(within: seconds ?? 0) {
            guard let result = PQgetResult(handle).map(PostgresResult.init) else {
                if isBroken || cameNothing { return false }
                cameNothing = true
                continue
            }
            cameNothing = false
            if result.isSynchronisation { return true }
            if !result.isSkipped { results.append(result) }
        }
        return false
    }

    private func send(_ step: Step) -> Bool {
        switch step {
        case .text(let text, let values):
            values.withPointers { PQsendQueryParams(handle, text, Int32(values.count), nil, $0, nil, nil, 0) } == 1
        case .preparing(let name, let text): PQsendPrepare(handle, name, text, 0, nil) == 1
        case .prepared(let name, let values):
            values.withPointers { PQsendQueryPrepared(handle, name, Int32(values.count), $0, nil, nil, 0) } == 1
        }
    }

    /// Runs steps in one message to the server.
    ///
    /// - Returns: the answers to those that were carried out, and why the next one was not.
    func run(_ steps: [Step]) -> (results: [PostgresResult], failure: StoreError?) {
        // A pipeline of one is none.
        if case .prepared(let name, let values)? = steps.first, steps.count == 1 {
            let answer = values.withPointers {
                PQexecPrepared(handle, name, Int32(values.count), $0, nil, nil, 0)
            }
            guard let result = answer.map(PostgresResult.init) else { return ([], lost) }
            return result.isFine ? ([result], nil) : ([], error(of: result))
        }
        var (results, isWhole) = answers(to: steps)
        if let last = results.last, !last.isFine {
            results.removeLast()
            return (results, error(of: last))
        }
        return (results, isWhole && results.count == steps.count ? nil : lost)
    }

    /// Runs a `COPY ... FROM STDIN` with its rows.
    func copy(_ text: String, _ rows: [UInt8]) throws(StoreError) {
        guard let ready = PQexec(handle, text).map(PostgresResult.init) else { throw lost }
        guard ready.isTakingRows else { throw error(of: ready) }
        let isSent = rows.withUnsafeBytes { bytes in
            PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) == 1
        }
        guard isSent, PQputCopyEnd(handle, nil) == 1 else { throw lost }
        var failure: PostgresResult?
        while let result = PQgetResult(handle).map(PostgresResult.init) {
            if !result.isFine && failure == nil { failure = result }
        }
        if let failure { throw error(of: failure) }
    }

    private func checked(_ handle: OpaquePointer?) throws(StoreError) -> PostgresResult {
        guard let handle else { throw lost }
        let result = PostgresResult(handle)
        guard result.isFine else { throw error(of: result) }
        return result
    }

    /// What a failed answer says.
    func error(of result: PostgresResult) -> StoreError {
        guard let state = result.state, !isBroken else { return lost }
        return .postgres(state, address.covered(result.message))
    }

    /// The error of a connection that is gone.
    var lost: StoreError { .connectionLost(address.covered(PQerrorMessage(handle).map { String(cString: $0) } ?? "")) }
}
