import Circulation
import Languages
import Server
import TextFormats

/// The mails about accounts.
extension AccountMail {
    /// The mail in the language of its recipient.
    func letter(in language: Language) -> Letter {
        switch kind {
        case .reset(let link, let end):
            let request: Phrase =
                "You, or someone else, asked for a new password for the account "
                + "\(patron.username). Open this link to set it:"
            let (moment, zone) = (language.moment(end, library.zone), library.zone)
            let term: Phrase =
                "The link works once and is valid until \(moment) (\(zone)). If you did not ask for this, you can "
                + "ignore this e-mail: your password has not been changed."
            let paragraphs = greeting(in: language) + [language.text(of: request), link, language.text(of: term)]
            let subject: Phrase = "Set a new password"
            return Letter(subject, of: library.name, in: language, paragraphs)
        case .confirmation(let link, let end):
            // The address may be that of a person who has nothing to do with it: it learns no name.
            let request: Phrase =
                "You, or someone else, asked the library to send the e-mails for an account to this address. Open "
                + "this link to confirm:"
            let (moment, zone) = (language.moment(end, library.zone), library.zone)
            let term: Phrase =
                "The link works once and is valid until \(moment) (\(zone)). If you did not ask for this, you can "
                + "ignore this e-mail: nothing will be sent to this address."
            let paragraphs = [language.text(of: request), link, language.text(of: term)]
            let subject: Phrase = "Please confirm your new e-mail address"
            return Letter(subject, of: library.name, in: language, paragraphs)
        case .addressChanged:
            let news: Phrase =
                "The e-mail address of your library account \(patron.username) has been changed. From now on, "
                + "e-mails go to another address. If you did not make this change, please tell the library immediately."
            let subject: Phrase = "Your e-mail address has been changed"
            return Letter(subject, of: library.name, in: language, greeting(in: language) + [language.text(of: news)])
        }
    }

    /// Nothing where the patron's name is not known.
    private func greeting(in language: Language) -> [String] {
        let name = SafeText.line(patron.name)
        return name.isEmpty ? [] : [language.text(of: "Dear \(name),")]
    }
}
