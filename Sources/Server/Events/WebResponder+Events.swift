import Desk
import Scripting
import TextFormats

/// An answer that goes on.
package enum StreamedAnswer: Sendable {
    /// It was refused.
    case whole(WebResponse)
    /// The head, and what follows it.
    case stream(WebResponse, EventStream)
}

extension WebResponder {
    /// Answers a request for a stream of events; nil for every other request.
    package func stream(_ request: WebRequest) async -> StreamedAnswer? {
        guard request.method == "GET", request.path == RouteTable.root + "/events",
            request.fields.contains(where: { $0.name == "accept" && $0.value.contains("text/event-stream") })
        else { return nil }
        let (id, started) = (RequestName.next(), ContinuousClock.now)
        begin()
        var (answer, stream) = await opened(request, id)
        answer = Self.dressed(answer, id)
        // Its time is that until it begins.
        end(request, answer, "get /events (stream)", id, since: started)
        return stream.map { .stream(answer, $0) } ?? .whole(answer)
    }

    private func opened(_ request: WebRequest, _ id: String) async -> (WebResponse, EventStream?) {
        do {
            try checkRate(of: request)
            guard let slot = streams.take() else {
                throw Problem(
                    503, "too_many_streams", "As many streams go on as may; try again later.",
                    fields: ["Retry-After": "30"])
            }
            let work = try apiRequest(request)
            let stream = try await services.lanes.long.run { try work.eventStream(slot) }
            // A proxy must not wait for more before it hands on what has come.
            return (WebResponse(200, "text/event-stream", fields: ["X-Accel-Buffering": "no"]), stream)
        } catch {
            return (answer(to: request, of: error, id), nil)
        }
    }
}

extension APIRequest {
    /// - Throws: ``Problem``, what the desk throws.
    func eventStream(_ slot: StreamSlots.Slot) throws -> EventStream {
        let call = try allowedCall()
        let query = EventQueryArguments(try arguments(of: call))
        let start = try lastEventID() ?? query.after ?? call.context.look { try $0.events.last() }
        return EventStream(services, after: start, kinds: query.kinds, slot: slot) {
            do {
                _ = try allowedCall()
                return true
            } catch is Problem {
                return false
            }
        }
    }

    /// The sequence behind which a client goes on that was here before.
    private func lastEventID() throws -> Int64? {
        guard let text = request.field("last-event-id"), !text.isEmpty else { return nil }
        guard let sequence = Int64(text), sequence >= 0 else {
            throw Problem.input("'Last-Event-ID' is the id of an event, a whole number.")
        }
        return sequence
    }

    /// The caller's call, if it may be made.
    private func allowedCall() throws -> RouteCall {
        let caller = try Authentication(services).caller(request)
        let call = try RouteCall(
            route: route, caller: caller, services: services, origin: .address(request.origin))
        try call.checkAccess()
        return call
    }

    private func arguments(of call: RouteCall) throws -> APIArguments {
        do {
            return try call.context.checked(route.function, try call.complete(try members()))
        } catch let fault as APIArgumentFault {
            throw Problem.input(fault.description)
        }
    }
}
