import CArgon2
import Foundation

/// A password as it is kept: Argon2id with a salt of its own, written as the PHC string format has it,
/// `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
package struct PasswordHash: Hashable, Sendable {
    /// Bytes of a password in UTF-8 after normalisation; more are not hashed.
    package static let longestPassword = 1024

    /// The whole string; it holds the cost and the salt, too.
    package let encoded: String

    /// What was kept earlier.
    package init(encoded: String) {
        self.encoded = encoded
    }

    /// Hashes a password, which takes as long and as much memory as the cost says: never in a transaction.
    ///
    /// - Throws: ``SecretError/passwordTooLong`` and ``SecretError/noMemory``.
    package init(of password: String, cost: PasswordCost = .standard) throws(SecretError) {
        let password = try PasswordHash.bytes(of: password)
        let salt = RandomBytes.make(16)
        let length = Int(
            argon2_encodedlen(cost.passes, cost.memory, cost.lanes, UInt32(salt.count), 32, Argon2_id))
        var text = [CChar](repeating: 0, count: length)
        let code = argon2id_hash_encoded(
            cost.passes, cost.memory, cost.lanes, password, password.count, salt, salt.count, 32, &text, length)
        guard code == ARGON2_OK.rawValue else { throw .noMemory }
        encoded = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the password is the one that was hashed.
    ///
    /// Takes the time of a whole hash whatever the password, and compares without telling where it differs.
    package func matches(_ password: String) throws(SecretError) -> Bool {
        let password = try PasswordHash.bytes(of: password)
        switch Argon2_ErrorCodes(argon2id_verify(encoded, password, password.count)) {
        case ARGON2_OK: return true
        case ARGON2_MEMORY_ALLOCATION_ERROR, ARGON2_THREAD_FAIL: throw .noMemory
        default: return false
        }
    }

    /// Whether it was made at another cost, so that it is to be made anew when the password is next at hand.
    package func isMade(at cost: PasswordCost) -> Bool {
        encoded.hasPrefix("$argon2id$v=19$m=\(cost.memory),t=\(cost.passes),p=\(cost.lanes)$")
    }

    /// As RFC 8265, section 4.2.2, has it for passwords: NFC, so that one keyboard's `é` is another's.
    private static func bytes(of password: String) throws(SecretError) -> [UInt8] {
        let bytes = Array(password.precomposedStringWithCanonicalMapping.utf8)
        guard bytes.count <= longestPassword else { throw .passwordTooLong }
        return bytes
    }
}

/// Why a secret could not be dealt with.
package enum SecretError: Error, Hashable {
    /// A password of more than ``PasswordHash/longestPassword`` bytes.
    case passwordTooLong
    /// There was no memory for a hash.
    case noMemory
}
