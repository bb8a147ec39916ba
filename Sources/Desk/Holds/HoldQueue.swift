import Circulation

/// The queue of a title, and how places in it change.
struct HoldQueue {
    let holds: [Hold]

    /// - Parameter holds: those that wait, in their order.
    init(_ holds: [Hold]) {
        self.holds = holds
    }

    /// Moves one hold to a place, 1 being the first.
    ///
    /// It takes the priority of a neighbour there unless its own fits, and a time between those of its neighbours. Where
    /// there is none between them (holds of one moment), those before it move back by as little as will do.
    ///
    /// - Returns: the holds that are different from before.
    /// - Throws: ``TimeError`` at the end of time.
    func moving(_ id: Int64, to position: Int) throws -> [Hold] {
        guard let from = holds.firstIndex(where: { $0.id == id }) else { return [] }
        var line = holds
        let hold = line.remove(at: from)
        let place = min(max(position, 1) - 1, line.count)
        guard place != from else { return [] }
        line.insert(hold, at: place)
        let previous = place > 0 ? line[place - 1] : nil
        let next = place + 1 < line.count ? line[place + 1] : nil
        line[place].priority = Self.priority(of: hold, between: previous, next)
        if let next, next.priority == line[place].priority {
            try Self.order(&line, upTo: place)
        } else if let previous, previous.priority == line[place].priority, !previous.precedes(line[place]) {
            line[place].queuedAt = try previous.queuedAt.adding(microseconds: 1)
        }
        return line.filter { changed in holds.contains { $0.id == changed.id && $0 != changed } }
    }

    /// Puts all of them in an order.
    ///
    /// Each takes the priority that belongs to its place, and the time. Of holds of one moment each gets a time before that
    /// of the one behind it, so that whoever comes now stays behind them all.
    ///
    /// - Parameter order: the ids of all of them.
    /// - Returns: the holds that are different from before.
    /// - Throws: ``TimeError`` at the end of time.
    func arranged(_ order: [Int64]) throws -> [Hold] {
        let known = Dictionary(holds.map { ($0.id, $0) }) { first, _ in first }
        var line = order.compactMap { known[$0] }
        for (place, slot) in holds.enumerated() where line.indices.contains(place) {
            (line[place].priority, line[place].queuedAt) = (slot.priority, slot.queuedAt)
        }
        for place in line.indices.dropLast().reversed() where line[place].priority == line[place + 1].priority {
            guard !line[place].precedes(line[place + 1]) else { continue }
            line[place].queuedAt = try line[place + 1].queuedAt.adding(microseconds: -1)
        }
        return line.filter { known[$0.id] != $0 }
    }

    private static func priority(of hold: Hold, between previous: Hold?, _ next: Hold?) -> Int64 {
        let isBelow = previous.map { $0.priority >= hold.priority } ?? true
        let isAbove = next.map { hold.priority >= $0.priority } ?? true
        if isBelow && isAbove { return hold.priority }
        return next?.priority ?? previous?.priority ?? hold.priority
    }

    /// From a place backwards, as far as priorities are alike, each hold gets a time before that of the one behind it.
    private static func order(_ line: inout [Hold], upTo place: Int) throws {
        // The moved hold itself may come from anywhere: it is put right before the one behind it.
        line[place].queuedAt = try line[place + 1].queuedAt.adding(microseconds: -1)
        var index = place
        while index > 0, line[index - 1].priority == line[index].priority, !line[index - 1].precedes(line[index]) {
            line[index - 1].queuedAt = try line[index].queuedAt.adding(microseconds: -1)
            index -= 1
        }
    }
}
