import Desk
import NIOCore

/// One client: finds its commands, has them answered one after the other, and writes the answers.
///
/// It reads nothing while a command is in hand or an answer is not taken, so that a client that sends without reading
/// fills the network's buffers and no others. All of it runs on the event loop of its channel.
final class LineConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The event by which a connection learns that the server stops.
    struct Stop {}

    private enum Phase {
        /// Before the channel is active.
        case fresh
        case listening
        /// A command is in hand, or its answer on its way.
        case answering
        /// All was said; what still comes is thrown away, since closing at once would throw away the answer.
        case lingering
        case closed
    }

    private enum Timer: Hashable { case silence, command, idle, taking, lingering }

    private let conversation: LineConversation
    private let settings: LineProtocolSettings
    private let address: ClientAddress
    private let onClose: @Sendable () -> Void

    private var context: ChannelHandlerContext?
    private var phase = Phase.fresh
    private var framer: CommandFramer
    private var visitor: LineConversation.Visitor?
    private var timers: [Timer: Scheduled<Void>] = [:]
    private var hasEnded = false
    private var isStopping = false

    /// What waits unread at most, when a client that ended its side has all of it delivered at once.
    private static let mostWaiting = 1 << 20
    private static let lingering = Duration.seconds(2)

    /// - Parameter onClose: called when nothing of the connection is left.
    init(
        conversation: LineConversation, settings: LineProtocolSettings, address: ClientAddress,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.conversation = conversation
        self.settings = settings
        self.address = address
        self.onClose = onClose
        framer = CommandFramer(longest: settings.longestCommand)
    }

    // MARK: - Events of the channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        guard phase == .fresh else { return }
        listen()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .listening || phase == .answering else { return }
        framer.append(unwrapInboundIn(data).readableBytesView)
        if framer.count > Self.mostWaiting { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch phase {
        case .listening: proceed()
        case .lingering: context.read()
        case .fresh, .answering, .closed: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Stop {
            isStopping = true
            if phase == .listening { context.close(promise: nil) }
        } else if let event = event as? ChannelEvent, event == .inputClosed {
            hasEnded = true
            switch phase {
            case .listening: proceed()
            case .lingering: context.close(promise: nil)
            case .fresh, .answering, .closed: break
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let isAnswering = phase == .answering
        phase = .closed
        for timer in timers.values { timer.cancel() }
        timers = [:]
        // The answer being made determines who is logged in.
        if !isAnswering { end() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func end() {
        guard let visitor else { return onClose() }
        self.visitor = nil
        Task { [conversation, onClose] in
            await conversation.leave(visitor)
            onClose()
        }
    }
}

// MARK: - Commands

extension LineConnection {
    private func listen() {
        phase = .listening
        after(visitor == nil ? settings.idleBeforeLogIn : settings.idle, .idle) { $0.context?.close(promise: nil) }
        proceed()
    }

    /// Takes the next command if there is one, and waits for more if there is none.
    private func proceed() {
        guard phase == .listening, let context else { return }
        if isStopping { return context.close(promise: nil) }
        if let piece = framer.next() { return take(piece) }
        if hasEnded {
            if let piece = framer.silence() { return take(piece) }
            return context.close(promise: nil)
        }
        if framer.isEmpty {
            stop(.silence)
            stop(.command)
        } else {
            after(settings.silence, .silence) { $0.endBySilence() }
            if timers[.command] == nil { after(settings.timeForCommand, .command) { $0.take(.tooLong) } }
        }
        context.read()
    }

    private func endBySilence() {
        guard phase == .listening else { return }
        if let piece = framer.silence() { take(piece) } else { stop(.command) }
    }

    private func take(_ piece: CommandFramer.Piece) {
        guard phase == .listening, let context else { return }
        phase = .answering
        for timer in [Timer.silence, .command, .idle] { stop(timer) }
        switch piece {
        case .tooLong: send(LineReply(LineWords.unknown, closes: true))
        case .command(let bytes):
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            Task { [conversation, address, visitor, loop = context.eventLoop] in
                let (reply, visitor) = await conversation.answer(bytes, from: address, visitor)
                loop.execute {
                    connection.value.visitor = visitor
                    connection.value.send(reply)
                }
            }
        }
    }
}

// MARK: - Answers

extension LineConnection {
    private func send(_ reply: LineReply) {
        guard phase == .answering, let context else { return end() }
        after(settings.timeToTake, .taking) { $0.context?.close(promise: nil) }
        let taken = context.eventLoop.makePromise(of: Void.self)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        taken.futureResult.whenComplete { result in connection.value.taken(result, reply) }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: reply.bytes)), promise: taken)
    }

    private func taken(_ result: Result<Void, any Error>, _ reply: LineReply) {
        stop(.taking)
        // Closed while the answer was on its way.
        guard phase == .answering, let context else { return end() }
        guard case .success = result else { return abandon() }
        if let rest = reply.rest {
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            Task { [conversation, loop = context.eventLoop] in
                let rest = await conversation.rest(of: rest)
                loop.execute { connection.value.go(on: rest) }
            }
        } else if reply.closes {
            linger(context)
        } else {
            listen()
        }
    }

    private func go(on rest: LineReply?) {
        guard phase == .answering else { return end() }
        // Half of an answer must not look like a whole one.
        if let rest { send(rest) } else { abandon() }
    }

    private func abandon() {
        phase = .lingering
        context?.close(promise: nil)
    }

    private func linger(_ context: ChannelHandlerContext) {
        phase = .lingering
        guard !hasEnded else { return context.close(promise: nil) }
        after(Self.lingering, .lingering) { $0.context?.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.read()
    }
}

// MARK: - Timers

extension LineConnection {
    private func after(_ time: Duration, _ timer: Timer, _ action: @escaping (LineConnection) -> Void) {
        stop(timer)
        guard let context else { return }
        timers[timer] = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self] in
            guard let self else { return }
            timers[timer] = nil
            action(self)
        }
    }

    private func stop(_ timer: Timer) {
        timers.removeValue(forKey: timer)?.cancel()
    }
}
