import Foundation

/// When a phase was.
struct PhaseSpan {
    var name: String
    /// How often there was trouble; nil for a phase without.
    var troubles: Int?
    /// On the machine's clock, in microseconds.
    var began: Int64
    var ended: Int64
}

/// What was done in a phase, by the time of the answers.
package struct PhaseFigures {
    package var name: String
    package var seconds: Double
    package var troubles: Int?
    package var acknowledged = 0
    /// By code.
    package var refused: [String: Int] = [:]
    /// Requests that there was nothing to do for.
    package var idle = 0
    /// Failures after which the same was asked again, by code.
    package var retried: [String: Int] = [:]
    /// Answers that a process got only by asking again, or that the driver looked up by itself.
    package var resolved = 0
    package var reconnected = 0
    /// The longest time without any answer, in milliseconds.
    package var longestPause = 0.0
    /// The longest that a single request took, in milliseconds.
    package var longestRequest = 0.0

    /// Answers a second.
    package var rate: Double { seconds > 0 ? Double(answers) / seconds : 0 }

    package var answers: Int { acknowledged + idle + refused.values.reduce(0, +) }

    init(_ span: PhaseSpan, _ journals: [[JournalLine]]) {
        name = span.name
        troubles = span.troubles
        seconds = Double(span.ended - span.began) / 1_000_000
        var moments: [Int64] = [span.began, span.ended]
        for journal in journals {
            var askedAt: Int64 = 0
            for line in journal {
                if case .asked(_, _, _, let at) = line { askedAt = at }
                guard line.at >= span.began, line.at < span.ended else { continue }
                count(line)
                if case .done(_, _, let at) = line {
                    moments.append(at)
                    longestRequest = max(longestRequest, Double(at - askedAt) / 1_000)
                }
            }
        }
        moments.sort()
        longestPause = Double(zip(moments, moments.dropFirst()).map { $1 - $0 }.max() ?? 0) / 1_000
    }

    private mutating func count(_ line: JournalLine) {
        switch line {
        case .asked: return
        case .done(_, .refused(let code), _): refused[code, default: 0] += 1
        case .done(_, .nothing, _): idle += 1
        case .done(_, .found, _):
            acknowledged += 1
            resolved += 1
        case .done: acknowledged += 1
        case .failed(_, let code, _, _): retried[code, default: 0] += 1
        case .recovered(let reconnected, let resolved, _):
            self.reconnected += reconnected
            self.resolved += resolved
        }
    }
}

extension JournalLine {
    var at: Int64 {
        switch self {
        case .asked(_, _, _, let at), .done(_, _, let at), .failed(_, _, _, let at), .recovered(_, _, let at): at
        }
    }
}
