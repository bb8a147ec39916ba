// Of what a message of several is written anew when one of them goes: its templates, and the line of each part.
extension Schema {
    static let digestWords = """
        ALTER TABLE notices ADD COLUMN digest_subject TEXT;
        ALTER TABLE notices ADD COLUMN digest_body TEXT;
        """
}
