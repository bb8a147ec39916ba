import Circulation
import TextFormats

/// That something about somebody's way in has changed, without what.
package struct AccountChange: Hashable, Sendable {
    package enum Change: String, Hashable, Sendable, CaseIterable {
        case passwordSet = "password_set"
        case keyIssued = "key_issued"
        case keyRevoked = "key_revoked"
    }

    package var patron: Int64
    package var change: Change

    package init(patron: Int64, change: Change) {
        self.patron = patron
        self.change = change
    }

    init(_ payload: EventPayload) throws {
        patron = try payload.integer("patron")
        change = try payload.choice("change", Change.self)
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("patron", patron)
        writer.member("change", change.rawValue)
    }
}
