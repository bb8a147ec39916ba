import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Series on pages and routes")
struct SeriesPageTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        _ = try server.desk.write { session in
            for number in 1...60 {
                let title = Title(title: "Volume \(number) of it", series: "Long <b> Story", seriesNumber: "\(number)")
                _ = try session.catalogue.add(title)
            }
        }
    }

    @Test("a volume names its series and links to the others, and the page of the series has all in their order")
    func links() async throws {
        let first = try #require(try server.desk.read { try $0.catalogue.series("long b story").first })
        let page = try await browser.open("/titles/\(first.id)")
        #expect(page.contains("More in Long &lt;b&gt; Story") && page.contains("Volume 2 of it"))
        #expect(!page.contains("Volume 13 of it") && page.contains("All volumes"))
        #expect(page.contains(#"href="/series?name=Long%20%3Cb%3E%20Story""#), "\(page)")
        let series = try await browser.open("/series?name=Long%20%3Cb%3E%20Story")
        #expect(series.contains("Volume 50 of it") && !series.contains("Volume 51 of it") && series.contains("page=2"))
        #expect(try await browser.open("/series?name=long+b+story&page=2").contains("Volume 60 of it"))
        let listed = try await server.ask(.get, "/series?name=long%20b%20story&limit=2&offset=58", as: nil)
        let items = listed.json["items"]?.arrayValue ?? listed.json.arrayValue ?? []
        #expect(items.map { $0["series_number"]?.stringValue } == ["59", "60"], "\(listed.text)")
    }

    @Test("a series that there is not is no page")
    func missing() async throws {
        for query in [
            "", "?name=", "?name=nothing", "?name=...", "?name=%00", "?name=" + String(repeating: "x", count: 2_000),
        ] {
            try await browser.open("/series\(query)")
            #expect((400..<500).contains(browser.page.status), "\(query.prefix(20))")
        }
    }
}
