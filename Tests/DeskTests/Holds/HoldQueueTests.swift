import Circulation
import Desk
import TestSupport
import Testing

@Suite("The queue of a title")
struct HoldQueueTests {
    private static let names = ["ada", "bob", "cyd", "dan", "eve", "fay"]

    /// A queue of holds placed at one moment, in the order of the names.
    private func library(_ policy: PolicySpec = Library.standard, count: Int = 6) throws -> (Library, [Int64]) {
        let library = try Library(policy: policy)
        for name in Self.names.dropFirst(3) {
            _ = try library.desk.write { try $0.patrons.add(Library.patron(name)).get() }
        }
        let holds = try Self.names.prefix(count).map { try library.place($0).get().hold.id }
        return (library, holds)
    }

    private func move(_ library: Library, _ hold: Int64, to position: Int64) throws -> Int64? {
        try library.desk.write { try $0.holds.move(hold, to: position).get() }.position
    }

    @Test("holds stand in the order in which they were placed, those of one moment too")
    func order() throws {
        let (library, holds) = try library()
        #expect(try library.queue() == holds)
        #expect(
            try library.desk.read { try $0.holds.queue(of: .id(Library.emma)) }.map(\.position) == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        "a hold can be moved to any place",
        arguments: [
            (5, 1, "fabcde"), (0, 2, "bacdef"), (1, 1, "bacdef"), (0, 6, "bcdefa"), (0, 99, "bcdefa"), (2, 3, "abcdef"),
        ])
    func moves(from: Int, to: Int64, expected: String) throws {
        let (library, holds) = try library()
        #expect(try move(library, holds[from], to: to) == min(to, 6))
        let letters = try library.queue().compactMap { id in
            holds.firstIndex(of: id).map { String(Array("abcdef")[$0]) }
        }
        #expect(letters.joined() == expected)
        try library.expectSound()
    }

    @Test(
        "a whole queue is put in any order in one step, and who comes next stands behind it",
        arguments: ["fedcba", "bacdef", "abcdef", "cafebd"])
    func arranged(order: String) throws {
        let (library, holds) = try library()
        let before = try library.events(.holdsMoved).count
        let wanted = order.compactMap { Array("abcdef").firstIndex(of: $0) }.map { holds[$0] }
        let places = wanted.enumerated().map { HoldPlace(hold: $1, position: Int64($0) + 1) }
        let queue = try library.desk.write { try $0.holds.arrange(.id(Library.emma), places.reversed()) }.get()
        #expect(queue.map(\.hold.id) == wanted && queue.map(\.position) == [1, 2, 3, 4, 5, 6])
        #expect(try library.queue() == wanted)
        #expect(try library.events(.holdsMoved).count - before == (order == "abcdef" ? 0 : 1))
        _ = try library.desk.write { try $0.patrons.add(Library.patron("gus")).get() }
        let last = try library.place("gus").get().hold.id
        #expect(try library.queue() == wanted + [last])
        try library.expectSound()
    }

    @Test("an order keeps the priorities of the places, and needs all who wait, each once, without a gap")
    func arrangedPriorities() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            var decision = decision
            if question.point == .hold, question.patron.id % 2 == 0 { decision.priority = 10 }
            return decision
        }
        let (library, holds) = try library(spec, count: 4)
        func arrange(_ places: [(Int64, Int64)], _ title: Int64 = Library.emma) throws -> Outcome<[QueuedHold]> {
            try library.desk.write { session in
                try session.holds.arrange(.id(title), places.map { HoldPlace(hold: $0.0, position: $0.1) })
            }
        }
        let queue = try library.queue()
        #expect(try arrange([(queue[0], 4), (queue[1], 2), (queue[2], 3), (queue[3], 1)]).get().count == 4)
        #expect(try library.queue() == [queue[3], queue[1], queue[2], queue[0]])
        #expect(try library.queue().map { try library.hold($0).hold.priority } == [10, 10, 0, 0])
        let wrong: [([(Int64, Int64)], String)] = [
            ([(holds[0], 1), (holds[1], 2), (holds[2], 4), (holds[3], 5)], "places"),
            ([(holds[0], 1), (holds[1], 1), (holds[2], 2), (holds[3], 3)], "places"),
            ([(holds[0], 1), (holds[1], 2), (holds[2], 3)], "queue_changed"),
            ([(holds[0], 1), (holds[1], 2), (holds[2], 3), (holds[2], 4)], "queue_changed"),
            ([(holds[0], 1), (holds[1], 2), (holds[2], 3), (999, 4)], "queue_changed"), ([], "queue_changed"),
        ]
        for (places, code) in wrong { #expect(try arrange(places).refusal?.code == code, "\(places)") }
        #expect(try arrange([], 999).refusal?.code == "unknown_title")
        try library.expectSound()
    }

    @Test("holds move up as those before them go")
    func moveUp() throws {
        let (library, holds) = try library(count: 3)
        _ = try library.cancel(holds[0]).get()
        _ = try library.cancel(holds[1]).get()
        #expect(try library.hold(holds[2]).position == 1)
    }

    @Test("a greater priority goes first, and within it the earlier hold")
    func priority() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            var decision = decision
            if question.point == .hold, question.patron.id % 2 == 0 { decision.priority = 10 }
            return decision
        }
        let (library, holds) = try library(spec, count: 4)
        #expect(try library.queue() == [holds[1], holds[3], holds[0], holds[2]])
        // Moved behind one of no priority, it has none itself.
        _ = try move(library, holds[1], to: 4)
        #expect(try library.queue() == [holds[3], holds[0], holds[2], holds[1]])
        #expect(try library.hold(holds[1]).hold.priority == 0)
        _ = try move(library, holds[2], to: 1)
        #expect(try library.queue() == [holds[2], holds[3], holds[0], holds[1]])
        try library.expectSound()
    }

    @Test("any row of moves gives the order that a list would have", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func randomMoves(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            var decision = decision
            if question.point == .hold { decision.priority = question.patron.id / 3 }
            return decision
        }
        let (library, _) = try library(spec)
        var model = try library.queue()
        for _ in 0..<40 {
            let hold = try #require(model.randomElement(using: &random))
            let place = Int.random(in: 1...6, using: &random)
            model.removeAll { $0 == hold }
            model.insert(hold, at: place - 1)
            _ = try move(library, hold, to: Int64(place))
            #expect(try library.queue() == model)
        }
        try library.expectSound()
    }

    @Test("a copy that is set aside keeps its hold out of the queue")
    func setAside() throws {
        let (library, holds) = try library(count: 3)
        _ = try library.scan().get()
        #expect(try library.hold(holds[0]).position == nil)
        #expect(try library.hold(holds[1]).position == 1)
        #expect(try library.desk.write { try $0.holds.move(holds[0], to: 2) }.refusal?.code == "not_waiting")
        #expect(try library.desk.write { try $0.holds.suspend(holds[0]) }.refusal?.code == "not_waiting")
        #expect(throws: DeskError.self) { try library.desk.write { try $0.holds.move(holds[1], to: 0) } }
    }
}
