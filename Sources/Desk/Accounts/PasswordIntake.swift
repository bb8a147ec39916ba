package import Circulation
import Foundation
import Secrets
import Synchronization
import Threads

/// Takes over passwords that came along with patrons, as if staff had set them: those of accounts that have none.
///
/// They are judged in the transaction that brings the patron, and hashed outside of any.
package struct PasswordIntake {
    private let desk: Desk
    private let terms: AccountTerms

    /// A password that its account is to have.
    package struct Wanted: Sendable {
        let patron: Int64
        let password: PlainPassword
    }

    /// What becomes of a password that came along.
    package enum Answer {
        case wanted(Wanted)
        /// The account has one already, which stays.
        case kept
        /// The account stays without; with the reason.
        case refused(code: String, words: String)
    }

    /// How many are hashed between two transactions.
    package static let portion = 64
    /// So many threads hash at most, each in 19 MiB of memory.
    private static let mostThreads = 4

    /// - Throws: where the configuration says nothing sound of passwords.
    package init(_ desk: Desk) throws {
        self.desk = desk
        terms = try desk.outside.terms()
    }

    /// Judges a password by the rule for all that are set, without hashing it.
    package func judge(_ password: PlainPassword, of patron: Patron, in session: DeskSession) throws -> Answer {
        let standing = try session.accounts.standing(of: patron.id)
        if standing.closedAt != nil { return .refused(code: "account_closed", words: "the account is closed") }
        if standing.hasPassword { return .kept }
        // A file must not be a way into the account of a colleague.
        guard patron.role == .patron else {
            return .refused(
                code: "password_of_staff", words: "accounts of staff and administrators get none from a file")
        }
        if let fault = password.fault { return .refused(code: "bad_password", words: fault) }
        if let refusal = terms.refusal(of: password.text, username: patron.username) {
            return .refused(code: refusal.code, words: refusal.message)
        }
        return .wanted(Wanted(patron: patron.id, password: password))
    }

    /// Hashes passwords and sets them, those of a portion in one transaction.
    ///
    /// - Returns: how many were set: an account may have got one meanwhile.
    package func take(_ wanted: [Wanted]) throws -> Int {
        var (count, rest) = (0, wanted[...])
        while !rest.isEmpty {
            let portion = Array(rest.prefix(Self.portion))
            let hashes = try hashes(of: portion)
            count += try desk.write(isLong: true) { session in
                var count = 0
                for (one, hash) in zip(portion, hashes) where try session.accounts.takeOver(hash, of: one.patron) {
                    count += 1
                }
                return count
            }
            rest = rest.dropFirst(portion.count)
        }
        return count
    }

    /// On all processors, where others get them first.
    private func hashes(of portion: [Wanted]) throws -> [String] {
        let cost = desk.outside.passwordCost
        let next = Mutex(0)
        let made = Mutex([String?](repeating: nil, count: portion.count))
        let failure = Mutex<SecretError?>(nil)
        @Sendable func work() {
            while true {
                let place = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard place < portion.count, failure.withLock({ $0 == nil }) else { return }
                do throws(SecretError) {
                    let hash = try PasswordHash(of: portion[place].password.text, cost: cost)
                    made.withLock { $0[place] = hash.encoded }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        let processors = min(ProcessInfo.processInfo.activeProcessorCount, Self.mostThreads, portion.count)
        let threads = (0..<max(1, processors)).compactMap { _ in
            WorkerThread(name: "passwords", givesWay: true) { work() }
        }
        if threads.isEmpty { work() }
        for thread in threads { thread.join() }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return made.withLock { $0.compactMap(\.self) }
    }
}

extension AccountService {
    /// Sets the password of an account that is open and has none.
    ///
    /// - Returns: whether it was set.
    func takeOver(_ hash: String, of id: Int64) throws -> Bool {
        guard let patron = try session.patrons.get(.id(id)), patron.role == .patron else { return false }
        let standing = try standing(of: id)
        guard !standing.hasPassword, standing.closedAt == nil else { return false }
        return try setHash(hash, of: .id(id)).value != nil
    }
}
