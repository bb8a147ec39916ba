import Circulation
import Testing

@Suite("Series")
struct SeriesTests {
    @Test("names of one series have one key, whatever case, accents and signs they are written with")
    func keys() {
        #expect(Title.seriesKey("Dune Chronicles") == Title.seriesKey("  DUNE: chronicles."))
        #expect(Title.seriesKey("Études") == Title.seriesKey("etudes"))
        #expect(Title.seriesKey("Dune Chronicles 2") != Title.seriesKey("Dune Chronicles"))
        for name in [nil, "", " ", "...", "\u{0}"] as [String?] { #expect(Title.seriesKey(name) == nil) }
    }

    @Test(
        "a volume stands by the first number of its own",
        arguments: [
            ("1", "000000001."), ("vol. 3", "000000003."), ("Band 12", "000000012."), ("2.5", "000000002.5"),
            ("2,25", "000000002.25"), ("007", "000000007."), ("IV", "000000004."), ("vol. XIX", "000000019."),
            ("n° 10, part 2", "000000010."), ("1/2", "000000001."), ("999999999", "999999999."),
        ] as [(String, String)])
    func places(number: String, place: String) {
        #expect(Title.seriesPlace(number) == place)
    }

    @Test(
        "what has no number stands behind the others",
        arguments: [nil, "", "special", "vol.", "\u{0}", String(repeating: "m", count: 1_000), "-"])
    func noPlace(number: String?) {
        #expect(Title.seriesPlace(number) == "x")
    }
}
