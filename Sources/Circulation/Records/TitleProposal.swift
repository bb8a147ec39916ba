/// A title as the patron who suggests it describes it.
package struct TitleProposal: Hashable, Sendable {
    package var isbn: ISBN?
    package var title: String
    package var authors: [String]
    /// Codes of the courses that use it.
    package var courses: [String]
    package var college: String?

    package init(
        isbn: ISBN? = nil, title: String, authors: [String] = [], courses: [String] = [], college: String? = nil
    ) {
        self.isbn = isbn
        self.title = title
        self.authors = authors
        self.courses = courses
        self.college = college
    }
}
