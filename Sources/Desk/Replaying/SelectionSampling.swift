import Circulation

/// Chooses so many out of so many that come by, each with the same chance: Knuth, The Art of Computer Programming, volume 2,
/// 3.4.2, algorithm S. The same seed chooses the same ones.
struct SelectionSampling {
    private var wanted: Int64
    private var left: Int64
    private var chance: SeededGenerator

    init(_ wanted: Int64, of total: Int64, seed: UInt64) {
        self.wanted = max(0, wanted)
        left = max(0, total)
        chance = SeededGenerator(seed: seed)
    }

    /// Whether the next one is among those chosen.
    mutating func takesNext() -> Bool {
        guard wanted > 0 else { return false }
        let takes = left <= wanted || Int64.random(in: 0..<left, using: &chance) < wanted
        left -= 1
        if takes { wanted -= 1 }
        return takes
    }
}
