import Circulation
import Desk
package import TextFormats

/// What becomes of the passwords that files have in plain text.
package enum PasswordChoice: Hashable, Sendable {
    /// Those that the library's rule takes become passwords of accounts that have none.
    case taken
    /// They are left out, as was asked for.
    case leftOut
    /// They are left out, and each is reported.
    case reported
}

/// What became of the passwords of an import.
package struct ArrivedPasswords: Hashable, Sendable {
    package var taken: Int64 = 0
    /// Accounts that have one already, which stays.
    package var kept: Int64 = 0
    /// Those that the rule does not take, each reported with its line.
    package var refused: Int64 = 0
    package var leftOut: Int64 = 0

    package init() {}

    /// How many accounts came with a password and are without one.
    package var without: Int64 { refused + leftOut }

    mutating func add(_ other: Self) {
        taken += other.taken
        kept += other.kept
        refused += other.refused
        leftOut += other.leftOut
    }

    /// The shape that programs read.
    package var json: JSON {
        [
            "taken": .integer(taken), "kept": .integer(kept), "refused": .integer(refused),
            "left_out": .integer(leftOut),
        ]
    }
}

/// Judges the passwords of records.
struct PasswordApplier {
    let choice: PasswordChoice
    /// nil unless they are taken over.
    let intake: PasswordIntake?

    static let none = PasswordApplier(choice: .reported, intake: nil)

    /// - Returns: the password, if the account of the record's patron is to have it.
    func judge(
        _ record: ReadRecord, _ run: ImportRun, in session: DeskSession, _ counts: inout ArrivedPasswords
    ) throws -> PasswordIntake.Wanted? {
        guard let password = record.password, let username = record.username,
            let patron = try session.patrons.get(.username(username))
        else { return nil }
        guard let intake else {
            counts.leftOut += 1
            if choice == .reported {
                run.warn("password", "password_left_out", "passwords in plain text are not taken over")
            }
            return nil
        }
        // The first of a file counts.
        guard try run.meet("password\u{1F}\(patron.id)", says: true) == nil else { return nil }
        switch try intake.judge(password, of: patron, in: session) {
        case .wanted(let wanted): return wanted
        case .kept: counts.kept += 1
        case .refused(let code, let words):
            counts.refused += 1
            let reason = words.hasSuffix(".") ? String(words.dropLast()) : words
            let way = "; the account is without one, and \(PasswordWords.way(patron.username))"
            run.warn("password", code, "it is not taken over: \(reason)\(code == "account_closed" ? "" : way)")
        }
        return nil
    }
}

enum PasswordWords {
    /// How the holder of an account without a password gets in.
    static func way(_ username: String) -> String {
        let isPlain = username.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        let name = isPlain && username.first != "-" ? username : "--all"
        return "'moonshelf account invite \(name)' makes a link by which its holder sets one"
    }
}

extension ReadRecord {
    /// The patron whom it brings.
    fileprivate var username: String? {
        records.lazy.compactMap { if case .patron(let patron, _) = $0 { patron.username } else { nil } }.first
    }
}
