import Reports

extension PolicyReplay {
    /// The report as a page of its own, charts included: no other file, script or address is needed to read it.
    package var page: String { HTMLReport(document).render() }
}
