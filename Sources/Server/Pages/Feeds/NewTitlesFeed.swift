import Languages
import Scripting
import TextFormats

/// The titles that came last, as RSS 2.0.
enum NewTitlesFeed: PageGroup {
    static let path = "/new.rss"
    static let templates = [PageTemplate("rss", PackageResources.rss_mustache)]

    static let pages = [
        Page(
            verb: .get, path: path, access: .everyone,
            work: .serving { call in
                let titles = try call.list(
                    "/titles", ["order": "added", "limit": .integer(FeedFields.many)])
                var fields = FeedFields.feed(say("New titles"), path, call)
                fields["titles"] = titles.map { FeedFields.entry($0, call) }
                return FeedFields.answer("rss", fields, "application/rss+xml")
            })
    ]
}
