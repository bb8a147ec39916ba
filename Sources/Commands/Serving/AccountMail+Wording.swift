import Circulation
import Languages
import Server
import Storage

/// The mails about accounts, in the language of their recipient.
extension AccountMail {
    var subject: String {
        switch kind {
        case .reset: say("A new password")
        case .confirmation: say("Your new e-mail address")
        case .addressChanged: say("Your e-mail address was changed")
        }
    }

    func text(_ zone: Zone) -> String {
        switch kind {
        case .reset(let link, let moment):
            Self.paragraphs(
                say("You, or another person, asked for a new password for the account \(patron.username)."), link,
                say(
                    "The link is good once, until \(ScheduleWords.local(moment, zone)) (\(zone)). If it was not you who asked, do "
                        + "nothing: your password is what it was."))
        case .confirmation(let link, let moment):
            Self.paragraphs(
                say("You, or another person, want the library's mail for an account to go to this address."), link,
                say(
                    "The link is good once, until \(ScheduleWords.local(moment, zone)) (\(zone)). If it was not you who asked, do "
                        + "nothing: no mail will come here."))
        case .addressChanged:
            Self.paragraphs(
                say(
                    "The e-mail address of your account \(patron.username) at the library was changed; mail goes to another "
                        + "address from now on. If it was not you who did so, tell the library at once."))
        }
    }

    private static func paragraphs(_ texts: String...) -> String { texts.joined(separator: "\n\n") + "\n" }
}
