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
            let request: Phrase = "You, or another person, asked for a new password for the account \(patron.username)."
            let (moment, zone) = (language.moment(end, library.zone), library.zone)
            let term: Phrase =
                "The link is good once, until \(moment) (\(zone)). If it was not you who asked, do nothing: your "
                + "password is what it was."
            let paragraphs = greeting(in: language) + [language.text(of: request), link, language.text(of: term)]
            let subject: Phrase = "A new password"
            return Letter(subject, of: library.name, in: language, paragraphs)
        case .confirmation(let link, let end):
            // The address may be that of a person who has nothing to do with it: it learns no name.
            let request: Phrase =
                "You, or another person, want the library's mail for an account to go to this address."
            let (moment, zone) = (language.moment(end, library.zone), library.zone)
            let term: Phrase =
                "The link is good once, until \(moment) (\(zone)). If it was not you who asked, do nothing: no mail "
                + "will come here."
            let paragraphs = [language.text(of: request), link, language.text(of: term)]
            let subject: Phrase = "Your new e-mail address"
            return Letter(subject, of: library.name, in: language, paragraphs)
        case .addressChanged:
            let news: Phrase =
                "The e-mail address of your account \(patron.username) at the library was changed; mail goes to "
                + "another address from now on. If it was not you who did so, tell the library at once."
            let subject: Phrase = "Your e-mail address was changed"
            return Letter(subject, of: library.name, in: language, greeting(in: language) + [language.text(of: news)])
        }
    }

    /// Nothing where the patron's name is not known.
    private func greeting(in language: Language) -> [String] {
        let name = SafeText.line(patron.name)
        return name.isEmpty ? [] : [language.text(of: "Dear \(name),")]
    }
}
