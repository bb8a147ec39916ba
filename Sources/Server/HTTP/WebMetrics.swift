import Synchronization

/// The server's metrics, in the text format of Prometheus (version 0.0.4).
final class WebMetrics: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: Int
    }

    private struct Timing {
        var counts = [Int](repeating: 0, count: WebMetrics.bounds.count + 1)
        var seconds = 0.0
    }

    private struct State {
        var requests: [Key: Int] = [:]
        var timings: [String: Timing] = [:]
        var goingOn = 0
    }

    /// Seconds.
    private static let bounds: [Double] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let state = Mutex(State())

    func begin() { state.withLock { $0.goingOn += 1 } }

    /// - Parameter route: the route's name, never an address, so that the number of series is bounded.
    func end(_ route: String, status: Int, took: Duration) {
        let seconds = took / .seconds(1)
        state.withLock { state in
            state.goingOn -= 1
            state.requests[Key(route: route, status: status), default: 0] += 1
            let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
            state.timings[route, default: Timing()].counts[index] += 1
            state.timings[route, default: Timing()].seconds += seconds
        }
    }

    /// - Parameters:
    ///   - lanes: in which requests wait for a thread.
    ///   - others: further lines of the format.
    func text(waiting lanes: WorkerLanes, and others: [String]) -> String {
        let state = state.withLock { $0 }
        var lines = [
            "# HELP moonshelf_http_requests_total Requests that were answered.",
            "# TYPE moonshelf_http_requests_total counter",
        ]
        for (key, count) in state.requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) })
        {
            lines.append("moonshelf_http_requests_total{route=\"\(key.route)\",status=\"\(key.status)\"} \(count)")
        }
        lines += [
            "# HELP moonshelf_http_request_duration_seconds How long answers took.",
            "# TYPE moonshelf_http_request_duration_seconds histogram",
        ]
        for (route, timing) in state.timings.sorted(by: { $0.key < $1.key }) {
            lines += Self.lines(route, timing)
        }
        lines += [
            "# HELP moonshelf_http_requests_in_progress Requests that are not answered yet.",
            "# TYPE moonshelf_http_requests_in_progress gauge",
            "moonshelf_http_requests_in_progress \(state.goingOn)",
            "# HELP moonshelf_desk_waiting Requests that wait for a thread of the desk.",
            "# TYPE moonshelf_desk_waiting gauge",
        ]
        lines += lanes.all.map { "moonshelf_desk_waiting{lane=\"\($0.name)\"} \($0.pool.waiting)" }
        return (lines + others).joined(separator: "\n") + "\n"
    }

    private static func lines(_ route: String, _ timing: Timing) -> [String] {
        let name = "moonshelf_http_request_duration_seconds"
        var (lines, sum) = ([String](), 0)
        for (index, count) in timing.counts.enumerated() {
            sum += count
            let bound = index < bounds.count ? String(bounds[index]) : "+Inf"
            lines.append("\(name)_bucket{route=\"\(route)\",le=\"\(bound)\"} \(sum)")
        }
        return lines + [
            "\(name)_sum{route=\"\(route)\"} \(timing.seconds)", "\(name)_count{route=\"\(route)\"} \(sum)",
        ]
    }
}
