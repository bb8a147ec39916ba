extension Case {
    /// Whether the loan in question, or the one asked for, is for use on site.
    package var isOnSite: Bool { loan?.onSite ?? request?.onSite ?? false }

    /// The date at the branch.
    package var today: CivilDate { zone.date(of: now) }
}
