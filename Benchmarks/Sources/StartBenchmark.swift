import Storage

/// The command from cold to its end, for the smallest thing it can be asked, held against Lua's own command and the opening
/// of a store from C. What is promised is no ratio but so many milliseconds more.
package enum StartBenchmark {
    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SampleStore(bench)
        let path = try store.copy("start")
        defer { try? SampleStore.remove(path) }
        let ours = try Program.moonshelf(["--store", "sqlite:\(path)", "eval", "return 1"])
        let floor = Program(arguments: ["lua5.4", "-e", "return 1"])
        var race = (ours: [Cost](), floors: [Cost]())
        for _ in 0..<max(3, min(40, bench.rounds / 50)) {
            race.ours.append(try ours.run())
            var cost = try floor.run()
            let opening = try Cost.measure(units: 1) {
                let opened = try FloorStore(path: path, isReadOnly: true)
                _ = try opened.number("SELECT count(*) FROM settings")
            }
            cost.cpu += opening.cpu
            cost.wall += opening.wall
            race.floors.append(cost)
        }
        return [
            Figure(
                name: "eval 'return 1', cold", ours: race.ours.median, floor: race.floors.median,
                bound: .more(milliseconds: 30), isOfWall: true)
        ]
    }
}
