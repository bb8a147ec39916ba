extension NotifyEvent {
    /// The desk's own words for the event: what is sent where the policy's `notify` says nothing. The texts are
    /// templates.
    package var standardNotice: PlannedNotice {
        let (subject, body) = words
        return PlannedNotice(stage: rawValue, channel: NoticeChannel.email.name, subject: subject, body: body)
    }

    /// Whether the desk speaks of it where no policy does: otherwise it does so only where the policy's `notify` names the
    /// event.
    package var isSaidUnasked: Bool { self != .returned }

    private var words: (subject: String, body: String) {
        switch self {
        case .holdReady:
            (
                "Ready for pickup: {{title.title}}",
                "Dear {{patron.name}}, {{title.title}} is ready for pickup at {{hold.pickup_branch}}. {{hold.fetch_by}}"
            )
        case .recalled:
            (
                "Please return early: {{title.title}}",
                "Dear {{patron.name}}, another patron is waiting for {{title.title}}. Please return it earlier than planned: it is now due on {{loan.due}}."
            )
        case .dueMoved:
            (
                "New due date: {{title.title}}",
                "{{branch.name}} will be closed. {{title.title}} is now due on {{loan.due}} instead."
            )
        case .renewed:
            (
                "Renewed: {{title.title}}",
                "Dear {{patron.name}}, {{title.title}} has been renewed. It is now due on {{loan.due}}."
            )
        case .returned:
            (
                "Returned: {{title.title}}",
                "Dear {{patron.name}}, you have returned {{title.title}}. Thank you."
            )
        case .fee:
            (
                "Charged: {{sale.title}}",
                "Dear {{patron.name}}, {{sale.total}} has been charged to your account: {{sale.title}}."
            )
        case .order:
            (
                "Your order: {{sale.title}}",
                "Dear {{patron.name}}, thank you for your order:\n\n{{sale.lines}}\n\nTotal: {{sale.total}}"
            )
        case .sold:
            (
                "Your offer has been taken up: {{sale.title}}",
                "Dear {{patron.name}}, another member has taken up your offer: {{sale.title}}. {{sale.until}}"
            )
        case .rentalDue:
            (
                "Please return: {{sale.title}}",
                "Dear {{patron.name}}, your rental of {{sale.title}} ends on {{sale.ends}}. Please return it by then."
            )
        case .listing:
            (
                "Your offer: {{sale.title}}",
                "Dear {{patron.name}}, your offer of {{sale.title}} was {{sale.decision}}. {{sale.message}}"
            )
        case .suggestion:
            (
                "Your suggestion: {{sale.title}}",
                "Dear {{patron.name}}, your suggestion of {{sale.title}} was {{sale.decision}}. {{sale.message}}"
            )
        case .contact: ("About {{sale.title}}", "{{sale.message}}")
        }
    }
}
