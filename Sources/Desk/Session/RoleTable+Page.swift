extension RoleTable {
    /// The whole of `docs/roles.md`; the text ends with a line feed.
    package static func page() -> String {
        introduction + table() + explanation + requests()
    }

    private static func table() -> String {
        let head = ["| | " + Asker.allCases.map(\.rawValue).joined(separator: " | ") + " | of whom |"]
        let rule = ["|---|" + Asker.allCases.map { _ in "---|" }.joined() + "---|"]
        let lines = rows.map { row in
            "| \(row.what) | " + Asker.allCases.map { row.reach(of: $0).rawValue }.joined(separator: " | ")
                + (row.isOfAccount ? " | no higher role |" : " | |")
        }
        return (head + rule + lines).joined(separator: "\n") + "\n"
    }

    /// Which request is in which line.
    private static func requests() -> String {
        let lines = rows.map { row in
            "| \(row.what) | " + row.requests.map { "`\($0)`" }.joined(separator: ", ") + " |"
        }
        return (["| | requests |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    private static let introduction = """
        # Who may do what

        <!-- Generated from its declaration by `moonshelf api --roles`. Do not edit. -->

        People have one of three roles, `patron`, `staff` or `admin`, which stands in their record. The table is that of the program: each
        session looks at it before it carries out a request. What is not allowed is refused with `not_allowed`, what belongs to another
        else with `not_owner` (`own`: only what is their own); both are written down like every refusal. A request that the table does
        not name is for staff.

        What changes a person's account - who they are, what lets them in or keeps them out, what is theirs alone - is for those whose
        role is at least as high as that account's (`no higher role`): staff neither rename, merge, block nor remove an administrator,
        and set none of their passwords. Of two records that become one this holds for both. Serving people at the desk is another
        matter: staff lend to administrators and take their payments.


        """

    private static let explanation = """

        A patron at a machine has the copies at hand: a self-check or a return slot (channel `self`). A person who works under a role is named
        in the log by `patron:ID`.

        ## Programs

        Commands, scripts and the interactive desk act as staff at the desk (`actor.role` is `staff`, `actor.channel` is `desk`), and the
        table does not bind them: a person who may start a program on the store's machine may open the store as well. What a script may do is
        told by its capabilities instead, which it declares by `needs` and is granted by `--allow`: see `docs/lua-api.md`.

        ## Requests

        As they are called in `request.refused` events.


        """
}
