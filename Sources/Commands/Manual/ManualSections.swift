/// The sections of the program's own page that no option declares.
enum ManualSections {
    static func environment(_ page: inout ManualText) {
        page.macro("Sh", "ENVIRONMENT")
        list(
            &page, kind: "Ev", width: "MOONSHELF_MAIL_PASSWORD",
            [
                ("MOONSHELF_STORE", "The store where no --store names one."),
                (
                    "MOONSHELF_SQL_STORE",
                    "Over PostgreSQL: the store as a role that can read the views alone, for SQL of scripts."
                ),
                (
                    "MOONSHELF_MAIL_PASSWORD",
                    "The password for the mail server; MOONSHELF_SMS_SECRET and MOONSHELF_WEBHOOK_SECRET sign posts."
                ),
                ("MOONSHELF_HISTORY", "The file that keeps the lines of the interactive desk; empty: none is kept."),
                ("NO_COLOR", "If set, nothing is coloured."),
                ("PGPASSWORD", "The password of a PostgreSQL store, as for psql; ~/.pgpass is better."),
            ])
    }

    static func files(_ page: inout ManualText) {
        page.macro("Sh", "FILES")
        list(
            &page, kind: "Pa", width: "moonshelf.toml",
            [
                ("moonshelf.db", "The store in the working folder, where nothing names another."),
                (
                    "moonshelf.toml",
                    "Settings of the process: store, branch, sql_store; \(DeliverySettings.channelTables), [delivery]."
                ),
                (
                    "~/.local/state/moonshelf",
                    "Where the interactive desk keeps its history; $XDG_STATE_HOME comes first."
                ),
            ])
    }

    static func status(_ page: inout ManualText) {
        page.macro("Sh", "EXIT STATUS")
        page.macro("Bl", "-tag", "-width", "Ds")
        for status in ExitStatus.allCases {
            page.macro("It", "\(status.rawValue)")
            page.text(status.summary)
        }
        page.macro("El")
    }

    static func examples(_ page: inout ManualText) {
        page.macro("Sh", "EXAMPLES")
        page.text("A library of one's own, with a policy that is tested before it is put into force:")
        page.example([
            "moonshelf init", "moonshelf import titles.csv patrons.csv", "moonshelf policy new --from public rules.lua",
            "moonshelf policy test rules.lua", "moonshelf policy use rules.lua --note \"First rules\"",
            "moonshelf repl --write",
        ])
        page.macro("Pp")
        page.text("A report as a file for a spreadsheet:")
        page.example(["moonshelf run --format csv --output late.csv scripts/overdue.lua"])
        page.macro("Pp")
        page.text("What every night does, as a line of")
        page.line(["Xr", "crontab", "5", ":"])
        page.example(["15 2 * * * moonshelf --config /etc/moonshelf.toml notices sweep"])
    }

    /// A list of names, each with what it is.
    ///
    /// - Parameters:
    ///   - kind: mdoc's macro of the names.
    ///   - width: the longest name.
    private static func list(
        _ page: inout ManualText, kind: String, width: String, _ items: [(name: String, text: String)]
    ) {
        page.macro("Bl", "-tag", "-width", width)
        for item in items {
            page.macro("It", kind, item.name)
            page.text(item.text)
        }
        page.macro("El")
    }
}
