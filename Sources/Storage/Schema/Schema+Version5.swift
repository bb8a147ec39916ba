// The views that SQL of others may read: they are made again after every migration, so that this step adds nothing itself.
extension Schema {
    static let reportViews = "-- See ReportView."
}
