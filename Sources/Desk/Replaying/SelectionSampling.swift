/// Chooses so many out of so many that come by, each with the same chance: Knuth, The Art of Computer Programming, volume 2,
/// 3.4.2, algorithm S. The same seed chooses the same ones.
struct SelectionSampling {
    private var wanted: Int64
    private var left: Int64
    private var state: UInt64

    init(_ wanted: Int64, of total: Int64, seed: UInt64) {
        self.wanted = max(0, wanted)
        left = max(0, total)
        state = seed
    }

    /// Whether the next one is among those chosen.
    mutating func takesNext() -> Bool {
        guard wanted > 0 else { return false }
        let takes = left <= wanted || random(below: UInt64(left)) < UInt64(wanted)
        left -= 1
        if takes { wanted -= 1 }
        return takes
    }

    /// SplitMix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
    private mutating func random(below bound: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)).multipliedFullWidth(by: bound).high
    }
}
