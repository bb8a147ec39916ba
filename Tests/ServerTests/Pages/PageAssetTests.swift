import Server
import Testing

/// What pages load besides.
@Suite("What pages load")
struct PageAssetTests {
    private let browser: PageBrowser

    init() throws { browser = PageBrowser(try TestServer()) }

    @Test("the stylesheet may be kept for good, under an address that names its content")
    func stylesheet() async throws {
        let path = try #require(try await browser.open("/").firstMatch(of: /href="(\/assets\/[^"]*)"/)?.1)
        let style = await browser.ask("GET", String(path))
        #expect(style.status == 200 && style.fields["Content-Type"] == "text/css; charset=utf-8")
        #expect(style.fields["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(await browser.ask("GET", "/assets/moonshelf-old.css").status == 404)
    }
}
