// Each of these stands first in a list, its ancestors after it. Setting one by itself makes it one without ancestors.

extension Case {
    /// Where it is lent; online, the copy's branch.
    package var branch: String {
        get { branches.first ?? "" }
        set { branches = [newValue] }
    }
}

extension PatronFacts {
    package var category: String {
        get { categories.first ?? "" }
        set { categories = [newValue] }
    }

    package var homeBranch: String {
        get { homeBranches.first ?? "" }
        set { homeBranches = [newValue] }
    }
}

extension OpenLoanFacts {
    /// Where it was lent.
    package var branch: String {
        get { branches.first ?? "" }
        set { branches = [newValue] }
    }

    /// The copy's own branch; nil: unknown.
    package var copyBranch: String? {
        get { copyBranches.first }
        set { copyBranches = newValue.map { [$0] } ?? [] }
    }
}

extension CopyFacts {
    package var branch: String {
        get { branches.first ?? "" }
        set { branches = [newValue] }
    }
}
