package import Secrets

/// What a desk has beside its store: made when it is first needed, so that a mistake in the configuration of one keeps
/// no one from other work.
package struct ExternalServices: Sendable {
    /// The services for book data; nil: none.
    package var bookData: @Sendable () throws -> (any BookDataSource)?
    /// What reads pictures that people give; nil: nothing does.
    package var pictures: @Sendable () throws -> (any PictureWriter)?
    /// What reaches servers for plugins and subscriptions; nil: nothing does.
    package var web: @Sendable () throws -> (any RequestSender)?
    /// What the library asks of passwords.
    package var terms: @Sendable () throws -> AccountTerms
    package var passwordCost: PasswordCost
    /// How often passwords may be tried: one budget for all ways in to this desk.
    package var budget: AttemptBudget

    package init(
        bookData: @escaping @Sendable () throws -> (any BookDataSource)? = { nil },
        pictures: @escaping @Sendable () throws -> (any PictureWriter)? = { nil },
        web: @escaping @Sendable () throws -> (any RequestSender)? = { nil },
        terms: @escaping @Sendable () throws -> AccountTerms = { AccountTerms() },
        passwordCost: PasswordCost = .standard, budget: AttemptBudget = AttemptBudget()
    ) {
        self.bookData = bookData
        self.pictures = pictures
        self.web = web
        self.terms = terms
        self.passwordCost = passwordCost
        self.budget = budget
    }
}
