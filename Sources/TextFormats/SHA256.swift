/// The SHA-256 digest (FIPS 180-4, section 6.2), which names versions of policies and rows of imported files.
///
/// Nothing secret is hashed with it: passwords and tokens want more than a digest.
package struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var block: [UInt8] = []
    private var length: UInt64 = 0

    package init() {
        block.reserveCapacity(64)
    }

    /// The digest of the bytes, as 64 hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }

    /// Takes in more bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ take($0) }) == nil {
            Array(bytes).withUnsafeBufferPointer { take($0) }
        }
    }

    /// Takes in the UTF-8 of a text.
    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { take($0) }
    }

    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        length &+= UInt64(bytes.count) &* 8
        var next = 0
        while next < bytes.count {
            if block.isEmpty, bytes.count - next >= 64 {
                compress(start + next)
                next += 64
                continue
            }
            let count = min(64 - block.count, bytes.count - next)
            block.append(contentsOf: UnsafeBufferPointer(start: start + next, count: count))
            next += count
            if block.count == 64 { compressBlock() }
        }
    }

    /// The digest of all that was taken in. The value cannot be used any further.
    package consuming func finish() -> String {
        let bits = length
        block.append(0x80)
        if block.count == 64 { compressBlock() }
        while block.count != 56 {
            block.append(0)
            if block.count == 64 { compressBlock() }
        }
        for shift in stride(from: 56, through: 0, by: -8) {
            block.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        compressBlock()
        return String(unsafeUninitializedCapacity: 64) { digits in
            var place = 0
            for word in state {
                var shift: UInt32 = 32
                while shift > 0 {
                    shift &-= 4
                    let digit = UInt8(truncatingIfNeeded: word &>> shift & 15)
                    digits[place] = digit < 10 ? 48 &+ digit : 87 &+ digit
                    place &+= 1
                }
            }
            return place
        }
    }

    private mutating func compressBlock() {
        let full = block
        full.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { compress(start) }
        }
        block.removeAll(keepingCapacity: true)
    }

    // Rotations are written out and buffers are bare, so that a build without optimization is not slow: every event is hashed.
    private mutating func compress(_ bytes: UnsafePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { buffer in
            guard let schedule = buffer.baseAddress else { return }
            var index = 0
            while index < 16 {
                let at = bytes + index &* 4
                schedule[index] =
                    UInt32(at[0]) &<< 24 | UInt32(at[1]) &<< 16 | UInt32(at[2]) &<< 8 | UInt32(at[3])
                index &+= 1
            }
            while index < 64 {
                let early = schedule[index &- 15]
                let late = schedule[index &- 2]
                let first = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ early &>> 3
                let second = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ late &>> 10
                schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
                index &+= 1
            }
            Self.constants.withUnsafeBufferPointer { constants in
                if let constants = constants.baseAddress { mix(schedule, constants) }
            }
        }
    }

    private mutating func mix(_ schedule: UnsafePointer<UInt32>, _ constants: UnsafePointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var index = 0
        while index < 64 {
            let choice = (e & f) ^ (~e & g)
            let turned = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let first = h &+ turned &+ choice &+ constants[index] &+ schedule[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = ((a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)) &+ majority
            h = g
            g = f
            f = e
            e = d &+ first
            d = c
            c = b
            b = a
            a = first &+ second
            index &+= 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
