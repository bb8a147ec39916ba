import Desk
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Limits the connections of one address, ends those whose clients are slow to send the head of a request, or to take an
/// answer, and the reading of a body that is slow to come. (Idle connections are ended elsewhere.)
final class HTTPConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limiter: ConnectionLimiter
    private let trusted: [AddressRange]
    private let head: SlowHead
    /// The time within which a body has to come, and what ends it.
    private let timeToSend: TimeAmount
    private var slowBody: Scheduled<Void>?
    private var isSending = false
    /// The time within which a client must read an answer.
    private let timeToTake: TimeAmount
    /// Ends the connection of a client that has not taken its answer.
    private var alarm: Scheduled<Void>?
    /// Whether the answer goes on for as long as the client likes: then each part has a time of its own.
    private var isStreaming = false

    init(limiter: ConnectionLimiter, settings: ServerSettings) {
        self.limiter = limiter
        // They speak for many.
        trusted = settings.trustedProxies
        timeToTake = .seconds(Int64(settings.secondsToTake))
        timeToSend = .seconds(Int64(settings.seconds))
        head = SlowHead(time: timeToSend)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let address = ClientAddress(context.remoteAddress?.ipAddress ?? "")
        // Each connection of a proxy has a name of its own, so that only the total limit applies.
        let key = trusted.contains { $0.contains(address) } ? "proxy \(ObjectIdentifier(context.channel))" : address.key
        guard limiter.admit(context.channel, from: key) else { return context.close(promise: nil) }
        let (channel, limiter) = (context.channel, limiter)
        channel.closeFuture.whenComplete { _ in limiter.leave(channel) }
        do {
            try context.pipeline.syncOperations.addHandler(head, position: .first)
        } catch {
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            head.came()
            isSending = true
        case .body: break
        case .end:
            head.isAwaited = true
            sent()
        }
        context.fireChannelRead(data)
    }

    /// Most bodies come together with their head, and need no alarm.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isSending, slowBody == nil {
            slowBody = context.eventLoop.assumeIsolated().scheduleTask(in: timeToSend) {
                context.fireErrorCaught(SlowBody())
            }
        }
        context.fireChannelReadComplete()
    }

    private func sent() {
        isSending = false
        slowBody?.cancel()
        slowBody = nil
    }

    /// The time begins with the first part of an answer: a part that the client does not read keeps the next from being
    /// written.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if alarm == nil {
            let channel = context.channel
            alarm = context.eventLoop.scheduleTask(in: timeToTake) { channel.close(promise: nil) }
        }
        let part = unwrapOutboundIn(data)
        if case .head(let head) = part { isStreaming = head.headerFields[.contentType] == "text/event-stream" }
        var endsTime = isStreaming
        if case .end = part { endsTime = true }
        guard endsTime else { return context.write(data, promise: promise) }
        let promise = promise ?? context.eventLoop.makePromise()
        // With pipelined requests, the next answer has its own time limit.
        let ended = alarm
        alarm = nil
        promise.futureResult.whenComplete { _ in ended?.cancel() }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        sent()
        context.fireChannelInactive()
    }
}

/// What reading a body ends with that does not come to its end in time.
struct SlowBody: Error {}

/// Ends a connection whose request head was begun and is not completed in time.
final class SlowHead: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Whether the next bytes are those of a head.
    var isAwaited = true
    private let time: TimeAmount
    private var alarm: Scheduled<Void>?

    init(time: TimeAmount) {
        self.time = time
    }

    /// The head has come.
    func came() {
        isAwaited = false
        alarm?.cancel()
        alarm = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isAwaited, alarm == nil {
            let channel = context.channel
            alarm = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        came()
        context.fireChannelInactive()
    }
}
