// What was posted to accounts in a time, as a cash desk asks for it when it closes a day.
extension Schema {
    static let postings = """
        CREATE INDEX events_of_postings ON events (at, sequence) WHERE \(EventRepository.isPosting);
        """
}
