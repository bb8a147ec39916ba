import Circulation

/// What a record can say of a patron beside the username.
package enum PatronField: String, Hashable, Sendable, CaseIterable {
    case name, surname
    case displayName = "display_name"
    case email, phone, category
    case homeBranch = "home_branch"
    case language
    case birthDate = "birth_date"
    case expiresOn = "expires_on"
    case role, extra

    package static let all = Set(allCases)

    /// Brings what the field holds from one patron to another.
    fileprivate func copy(from source: Patron, to target: inout Patron) {
        switch self {
        case .name: target.name = source.name
        case .surname: target.surname = source.surname
        case .displayName: target.displayName = source.displayName
        case .email: target.email = source.email
        case .phone: target.phone = source.phone
        case .category: target.category = source.category
        case .homeBranch: target.homeBranch = source.homeBranch
        case .language: target.language = source.language
        case .birthDate: target.birthDate = source.birthDate
        case .expiresOn: target.expiresOn = source.expiresOn
        case .role: target.role = source.role
        // Declared fields may have columns of their own.
        case .extra: target.extra = source.extra.overlaid(by: target.extra)
        }
    }
}

extension Patron {
    /// The patron of a record with everything else as the library has it: a file without a column for the role makes no
    /// patron out of a member of staff.
    func saying(_ fields: Set<PatronField>, of present: Patron) -> Patron {
        var merged = self
        for field in PatronField.allCases where !fields.contains(field) { field.copy(from: present, to: &merged) }
        if merged.category.isEmpty { merged.category = present.category }
        if merged.homeBranch.isEmpty { merged.homeBranch = present.homeBranch }
        // A blank cell of a table cannot tell an empty text from none.
        if merged.email == nil, present.email?.isEmpty == true { merged.email = present.email }
        if merged.phone == nil, present.phone?.isEmpty == true { merged.phone = present.phone }
        if merged.language == nil, present.language?.isEmpty == true { merged.language = present.language }
        return merged
    }
}
