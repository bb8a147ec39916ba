import Circulation

// What stands before the first step.
extension Schema {
    static let given = SchemaRecord(
        name: .given, summary: "What stands before the first step. Each field may be left out.",
        fields: [
            SchemaField("now", .moment, "The moment of the first step; otherwise 2026-05-20T12:00:00Z, a Wednesday."),
            SchemaField("zone", .zone, "The library's time zone; otherwise UTC."),
            SchemaField(
                "calendar", .record(.calendar), "The opening days of all branches that have none of their own."),
            SchemaField(
                "branches", .map(.record(.calendar)), "Further branches beside `main`, each with its opening days."),
            SchemaField("item_types", .map(.text), "Item types, each with the one that it belongs to, or \"\"."),
            SchemaField("patrons", .list(.record(.patron)), "Patrons; the first is who steps are about."),
            SchemaField("copies", .list(.record(.copy)), "Copies; the first is the one that steps are about."),
            SchemaField("loans", .list(.record(.loan)), "Open loans, made under the rules but in spite of all limits."),
            SchemaField("holds", .list(.record(.hold)), "Holds that wait, in the order in which they were placed."),
        ] + policy)

    /// What the library has decided.
    private static let policy = [
        SchemaField("rule", .record(.rule), "The terms of all loans for which no row of `rules` says otherwise."),
        SchemaField(
            "written", .map(.text),
            "Terms for all loans as the text of a policy has them, which need not be right: for `accept_rules`."),
        SchemaField("rules", .list(.record(.rule)), "Rows of terms with conditions; the first that fits holds."),
        SchemaField(
            "match", .list(.code(["category", "item_type", "branch", "copy_branch", "home_branch"])),
            "Conditions by importance: the row that fits best holds, in place of the first."),
        SchemaField("limits", .list(.record(.limit)), "How many loans a patron may have; the first that fits holds."),
        SchemaField("standing", .list(.record(.standing)), "What a patron may not do any more, and from when on."),
        SchemaField("notices", .list(.record(.notice)), "Reminders, and when they are sent."),
        SchemaField("recall", .record(.recall), "What a hold of another does to the due time of a loan."),
        SchemaField("demand", .record(.demand), "A shorter loan of what many wait for."),
        SchemaField(
            "keep_time", .flag, "Whether due times keep the time of day of lending, whatever the period."),
        SchemaField(
            "keep_time_closed", .code(["keep", "closing", "opening"]),
            "Where `keep_time` leads into closed hours: kept, the end of the hours of lending, or the next opening."),
        SchemaField("opening_offset", .period, "What is added to the next opening of `keep_time_closed`."),
        SchemaField(
            "renew_if_copies_suffice", .flag,
            "Whether a loan is renewed in spite of holds that the available copies of its title can fill."),
        SchemaField("renew_on_site", .flag, "Whether loans for reading in the library are renewed; otherwise true."),
        SchemaField("renew_overdue", .flag, "Whether a loan that is late itself is renewed; otherwise true."),
        SchemaField("renew_when_expired", .flag, "Whether patrons whose membership has ended may still renew."),
        SchemaField("auto_renew_last", .date, "The last day on which loans renew by themselves."),
        SchemaField("pickup_refused", .list(.text), "Branches at which no hold is picked up."),
        SchemaField("holds_at_pickup", .count, "How many holds a patron may have for one branch."),
        SchemaField("holds_at", .map(.count), "The same for branches that have a number of their own."),
        SchemaField("lost_billed_after", .period, "How long after it counts as lost a copy is charged for."),
        SchemaField(
            "suspension_parts", .flag, "Whether a part of a `suspension_per` brings a part of the suspension."),
        SchemaField("fine_cap_default", .money, "The cap of the fine of a copy that has no price."),
        SchemaField("hold_fee", .money, "What the loan of a copy from the hold shelf costs."),
        SchemaField("rental_discount", .count, "How many of a hundred are taken off what borrowing costs."),
        SchemaField("nightly_fines", .list(.money), "What the fine comes to on each day late, instead of by terms."),
        SchemaField("overdue_each", .count, "A notice whenever a loan is late by a multiple of so many days."),
    ]

    static let calendar = SchemaRecord(
        name: .calendar, summary: "Opening days. Every day is open the whole day where nothing is said.",
        fields: [
            SchemaField(
                "weekly", .map(.hours), "Weekdays (`mon`, `mon-fri`, `sat,sun`) with their hours; the others stay."),
            SchemaField("closed", .list(.text), "Closed days: a date, or two with \"/\" between them, both included."),
            SchemaField("yearly", .list(.text), "Days closed in each year: \"12-25\", or two with \"/\" between them."),
            SchemaField("open", .map(.hours), "Days that are open in spite of all that, with their hours."),
            SchemaField(
                "only", .map(.hours), "Days with their hours; what lies between them and is not named is closed."),
            SchemaField("repeated", .list(.record(.yearly)), "Closures that come again."),
        ])

    static let yearly = SchemaRecord(
        name: .yearly, summary: "A closure that comes again, from its first time on.",
        fields: [
            SchemaField("first", .date, "Its first day."),
            SchemaField("last", .date, "Its last day; otherwise the first."),
            SchemaField("every", .period, "After how long it comes again."),
        ])

    static let fineStep = SchemaRecord(
        name: .step, summary: "What a late day costs, by how late it is.",
        fields: [
            SchemaField("from", .period, "The first late day, hour or open day for which it costs that."),
            SchemaField("to", .period, "The last one; otherwise all that follow."),
            SchemaField("fine", .money, "What each of them costs."),
        ])

    private static let names: SchemaField.Kind = .either(.text, .list(.text))

    /// Whom and what a row is about.
    private static let conditions = [
        SchemaField("category", names, "Only for patrons of these categories."),
        SchemaField("item_type", names, "Only for copies of these item types, and what belongs to them."),
        SchemaField("branch", names, "Only where it is lent at these branches."),
        SchemaField("copy_branch", names, "Only for copies that belong to these branches."),
        SchemaField("home_branch", names, "Only for patrons of these branches."),
        SchemaField("on_site", .flag, "Only for loans to be read in the library, or only for others."),
    ]

    static let rule = SchemaRecord(
        name: .rule,
        summary:
            "Terms of loans, with conditions in `rules`. Terms mean what they do in the language of policies; where no row"
            + " says it, `loan` is 14 days, `renewals` without limit and `due_time` the end of the day.",
        fields: conditions + [
            SchemaField("recalled", .flag, "Only for loans that were recalled, or only for others."),
            SchemaField("lent_from", .date, "Only for what is lent on that day or later."),
            SchemaField("lent_until", .date, "Only for what is lent on that day or earlier."),
            SchemaField("value", .any, "A term of the library's own, for facts about which row holds."),
        ] + RuleField.all.map { SchemaField($0.name, .term($0), $0.summary) })

    static let limit = SchemaRecord(
        name: .limit, summary: "A limit on open loans.",
        fields: conditions + [SchemaField("max", .orNull(.count), "How many there may be; null: without limit.")])

    static let standing = SchemaRecord(
        name: .standing, summary: "What a patron may not do any more.",
        fields: [
            SchemaField(
                "counts", .code(["overdue", "loans", "lost", "claims", "owed"]),
                "What is counted: late, open, lost or claimed loans, or what is owed."),
            SchemaField("reaches", .either(.count, .money), "Refused if it is so much or more."),
            SchemaField("exceeds", .either(.count, .money), "Refused if it is more."),
            SchemaField(
                "refuses", .list(.code(["checkout", "renew", "hold"])), "What is refused; otherwise all three."),
            SchemaField("asks", .flag, "Whether staff are only asked whether to go on."),
        ])

    static let notice = SchemaRecord(
        name: .notice, summary: "A stage of reminders; without `before` and `after` it is sent at the due time.",
        fields: [
            SchemaField("stage", .text, "Its name."),
            SchemaField("before", .period, "How long before the due time it is sent."),
            SchemaField("after", .period, "How long after the due time it is sent."),
            SchemaField("every", .period, "After how long it is sent again."),
            SchemaField("charge", .money, "What it costs."),
            SchemaField("digest", .flag, "Whether a patron's notices of the stage go in one message."),
            SchemaField("branch", .text, "Only for loans made there."),
        ])

    static let recall = SchemaRecord(
        name: .recall, summary: "A hold of another shortens the loan, once.",
        fields: [
            SchemaField("guaranteed", .period, "How long a loan lasts in any case, from its beginning."),
            SchemaField("notice", .period, "How long the patron has from the recall on, at least."),
        ])

    static let demand = SchemaRecord(
        name: .demand, summary: "A shorter loan of what many wait for.",
        fields: [
            SchemaField("loan", .period, "How long it then lasts."),
            SchemaField("holds", .count, "From so many waiting holds on."),
            SchemaField("beyond_copies", .count, "If more wait than there are copies, and so many more."),
        ])

    static let patron = SchemaRecord(
        name: .patron, summary: "A patron.",
        fields: [
            SchemaField("name", .text, "The name by which steps name the patron; the first is `reader` without it."),
            SchemaField("category", .text, "Otherwise `patron`."), SchemaField("branch", .text, "Otherwise `main`."),
            SchemaField("group", .text, "A group of patrons, such as a family, by its name."),
            SchemaField("expires", .moment, "When the membership ends: the last day, or a moment."),
            SchemaField("blocks", .list(.record(.block)), "Blocks that staff have set."),
            SchemaField("owes", .money, "What is owed from before."),
            SchemaField("credit", .money, "What the library owes, or has taken against what is owed."),
        ])

    static let block = SchemaRecord(
        name: .block, summary: "A block of a patron.",
        fields: [
            SchemaField("kind", .text, "What it is called; otherwise `restriction`."),
            SchemaField("until", .date, "Its last day; otherwise it has no end."),
            SchemaField(
                "refuses", .list(.code(["checkout", "renew", "hold"])), "What it refuses; otherwise everything."),
        ])

    static let copy = SchemaRecord(
        name: .copy, summary: "A copy, or several alike.",
        fields: [
            SchemaField("name", .text, "The name by which steps name the copy; the first is `copy` without it."),
            SchemaField("title", .text, "The name of its title; otherwise a title of its own."),
            SchemaField("count", .count, "How many there are, named NAME, NAME-2, NAME-3; otherwise 1."),
            SchemaField("item_type", .text, "Otherwise `book`."),
            SchemaField("branch", .text, "The branch to which it belongs; otherwise `main`."),
            SchemaField("price", .money, "What it cost."),
            SchemaField("status", .code(["available", "withdrawn"]), "Otherwise `available`."),
            SchemaField(
                "booked_from", .moment, "From when on its title is promised to another, before which loans end."),
        ])

    static let loan = SchemaRecord(
        name: .loan, summary: "An open loan, or several alike.",
        fields: [
            SchemaField("patron", .text, "Who has it; otherwise the first patron."),
            SchemaField("copy", .text, "Which copy it is of; otherwise one of its own."),
            SchemaField("count", .count, "How many there are; otherwise 1."),
            SchemaField("item_type", .text, "The item type of copies of its own; otherwise `book`."),
            SchemaField("branch", .text, "Where it was lent, and where copies of its own belong; otherwise `main`."),
            SchemaField("on_site", .flag, "Whether it was lent to be read in the library."),
            SchemaField(
                "lent", .moment, "When it began; otherwise 10 days before `now` or `due`, the earlier of them."),
            SchemaField("due", .moment, "Its due time, a date standing for its end; otherwise as the terms have it."),
            SchemaField("renewals", .count, "How often it was renewed."),
            SchemaField("unseen_renewals", .count, "How many of these happened without the copy being seen."),
            SchemaField("recalled", .flag, "Whether it was recalled, before it became due at `due`."),
            SchemaField("state", .code(["open", "lost", "claimed"]), "What was declared of it, at `stated`."),
            SchemaField("stated", .moment, "When that was declared; otherwise at `now`."),
        ])

    static let hold = SchemaRecord(
        name: .hold, summary: "A hold that waits, or several alike.",
        fields: [
            SchemaField("patron", .text, "Whose it is; otherwise a further patron per (`waiter-1`, `waiter-2`)."),
            SchemaField("title", .text, "The title it is for; of a named patron without it, a title of its own each."),
            SchemaField("copy", .text, "The one copy that will do."),
            SchemaField("count", .count, "How many there are; otherwise 1."),
            SchemaField("pickup", .text, "Where it is to be picked up; otherwise `main`."),
            SchemaField("placed", .moment, "When it was placed; otherwise right before `now`."),
            SchemaField("expires", .date, "The last day on which it is wanted."),
            SchemaField("on_shelf", .flag, "Whether a copy was set aside for it when it was placed."),
        ])
}
