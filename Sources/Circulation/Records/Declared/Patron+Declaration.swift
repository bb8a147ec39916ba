extension Patron: NumberedRecord {
    package static let blank = Patron(username: "", category: "", homeBranch: "")

    package static let declaration = RecordDeclaration<Patron>(
        "a patron", in: "patrons",
        [
            .init("id", \.id, isNoneAsZero: true),
            // What stands where none may be kept: unique, and no person's.
            .init("username", \.username, "unique and replaceable", isPersonal: true, usually: { "patron-\($0.id)" }),
            .init("name", \.name, isPersonal: true),
            .init("surname", \.surname, isPersonal: true),
            .init(
                "display_name", \.displayName, "as other members see them; nil: by the username, if that is no address",
                isPersonal: true),
            .init("email", \.email, isPersonal: true),
            .init("phone", \.phone, isPersonal: true),
            .init("category", \.category, "a category's code"),
            .init("home_branch", \.homeBranch, "a branch's code"),
            .init("language", \.language),
            .init("birth_date", \.birthDate, isPersonal: true),
            .init("expires_on", \.expiresOn, "the last day of the membership; nil: without end"),
            .init("role", \.role),
            .init("extra", \.extra, "fields of the library's own", isPersonal: true),
        ])
}

extension PatronBlock: NumberedRecord {
    package static let blank = PatronBlock(patron: 0, kind: "", actions: [], createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<PatronBlock>(
        "a block", in: "blocks",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "the patron's id", .reference(.patron)),
            .init("kind", \.kind, "a word of the library's own, or `suspension`"),
            // Staff's own words about a person.
            .init("reason", \.reason, isPersonal: true),
            .init("actions", \.actions, "what it forbids"),
            .init("created_at", \.createdAt),
            .init("ends", \.ends, "its last day; nil: until it is lifted"),
            .init("lifted_at", \.liftedAt),
        ])
}

extension Notice: NumberedRecord {
    package static let blank = Notice(
        kind: "", subjectKey: "", patron: 0, stage: "", channel: "", subject: "", body: "",
        createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Notice>(
        "a notice", in: "notices",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("kind", \.kind, "`overdue`, `due_soon`, `message` and the like"),
            .init("subject_key", \.subjectKey, "what it is about; with kind, due time, stage and repetition unique"),
            .init("patron", \.patron, "the patron's id", .reference(.patron)),
            .init("loan", \.loan, "the loan's id", .reference(.loan)),
            .init("due_at", \.dueAt, "the due time it is about"),
            .init("stage", \.stage),
            .init("repetition", \.repetition, "", .count, usual: 0),
            .init("channel", \.channel),
            // The texts name the patron.
            .init("subject", \.subject, isPersonal: true),
            .init("body", \.body, isPersonal: true),
            .init("state", \.state),
            .init("created_at", \.createdAt),
            .init("sent_at", \.sentAt),
            .init("read_at", \.readAt),
            .init("tries", \.tries, "how often it was sent, or tried in vain", .count, usual: 0),
            .init("carried_by", \.carriedBy, isInternal: true),
            .init("digest", \.digest, isInternal: true, isPersonal: true),
            .init("failure", \.failure, "why the last try was in vain: `refused`, `no_address` and the like"),
        ])
}

extension LedgerEntry: NumberedRecord {
    package static let blank = LedgerEntry(
        key: "", patron: 0, kind: .charge, amount: .zero(.eur), label: "", at: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<LedgerEntry>(
        "a line of an account", in: "ledger",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("key", \.key, "unique: the same charge is never posted twice", columns: ["entry_key"]),
            // A line whose patron was removed names patron 0.
            .init("patron", \.patron, "the patron's id", .reference(.patron), isNoneAsZero: true),
            .init("loan", \.loan, "the loan's id", .reference(.loan)),
            .init("kind", \.kind),
            .init("amount", \.amount, "positive: the patron owes more"),
            .init("label", \.label),
            .init("at", \.at),
        ])
}

extension PolicyActivation: DeclaredRecord {
    package static let blank = PolicyActivation(
        policy: "", name: "", effectiveFrom: Instant(seconds: 0), activatedAt: Instant(seconds: 0), actor: "", note: "")

    package static let declaration = RecordDeclaration<PolicyActivation>(
        "an activation", in: "policy_activations",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("policy", \.policy),
            .init("name", \.name),
            .init("effective_from", \.effectiveFrom),
            .init("activated_at", \.activatedAt),
            .init("actor", \.actor),
            .init("note", \.note),
            .init("retroactive", \.isRetroactive),
            .init("withdrawn_at", \.withdrawnAt),
        ])
}
