extension Patron: DeclaredRecord {
    package static let blank = Patron(username: "", category: "", homeBranch: "")

    package static let declaration = RecordDeclaration<Patron>(
        "a patron", in: "patrons",
        [
            .init("id", \.id, isNoneAsZero: true),
            // What stands where none may be kept: unique, and no person's.
            .init("username", \.username, isPersonal: true, usually: { "patron-\($0.id)" }),
            .init("name", \.name, isPersonal: true),
            .init("surname", \.surname, isPersonal: true),
            .init("email", \.email, isPersonal: true),
            .init("phone", \.phone, isPersonal: true),
            .init("category", \.category),
            .init("home_branch", \.homeBranch),
            .init("language", \.language),
            .init("birth_date", \.birthDate, isPersonal: true),
            .init("expires_on", \.expiresOn),
            .init("role", \.role),
            .init("extra", \.extra, isPersonal: true),
        ])
}

extension PatronBlock: DeclaredRecord {
    package static let blank = PatronBlock(patron: 0, kind: "", actions: [], createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<PatronBlock>(
        "a block", in: "blocks",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron),
            .init("kind", \.kind),
            // Staff's own words about a person.
            .init("reason", \.reason, isPersonal: true),
            .init("actions", \.actions),
            .init("created_at", \.createdAt),
            .init("ends", \.ends),
            .init("lifted_at", \.liftedAt),
        ])
}

extension Notice: DeclaredRecord {
    package static let blank = Notice(
        kind: "", subjectKey: "", patron: 0, stage: "", channel: "", subject: "", body: "",
        createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Notice>(
        "a notice", in: "notices",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("kind", \.kind),
            .init("subject_key", \.subjectKey),
            .init("patron", \.patron),
            .init("loan", \.loan),
            .init("due_at", \.dueAt),
            .init("stage", \.stage),
            .init("repetition", \.repetition, usual: 0),
            .init("channel", \.channel),
            // The texts name the patron.
            .init("subject", \.subject, isPersonal: true),
            .init("body", \.body, isPersonal: true),
            .init("state", \.state),
            .init("created_at", \.createdAt),
            .init("sent_at", \.sentAt),
            .init("read_at", \.readAt),
            .init("tries", \.tries, usual: 0),
            .init("carried_by", \.carriedBy),
            .init("digest", \.digest, isPersonal: true),
            .init("failure", \.failure),
        ])
}

extension LedgerEntry: DeclaredRecord {
    package static let blank = LedgerEntry(
        key: "", patron: 0, kind: .charge, amount: .zero(.eur), label: "", at: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<LedgerEntry>(
        "a line of an account", in: "ledger",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("key", \.key, columns: ["entry_key"]),
            // A line whose patron was removed names patron 0.
            .init("patron", \.patron, isNoneAsZero: true),
            .init("loan", \.loan),
            .init("kind", \.kind),
            .init("amount", \.amount),
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
