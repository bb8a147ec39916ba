/// Bytes that cannot be predicted.
package enum RandomBytes {
    /// From the system's source of random numbers (getrandom on Linux), which Swift's generator reads.
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
