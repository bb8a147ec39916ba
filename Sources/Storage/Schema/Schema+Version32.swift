// A checkout and a return write a page of the log less. What is available at a branch is found by the titles that the branch has, an
// index that no loan touches, and by the copies themselves; which copies of a title are, by `copies_by_title` as before.
extension Schema {
    static let titlesOfBranches = """
        DROP INDEX copies_available;
        CREATE INDEX copies_by_branch_and_title ON copies (branch, title);
        """
}
