import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let catalogueSeries = APIFunction(
        "series", "Lists the volumes of a series in their order: by the numbers in theirs, those without one last.",
        details: "Case, accents and signs of its name do not matter.",
        .named(
            "query",
            [.required("name", .text(maximum: 1000), "the series")] + APIParameter.part(50, of: 0...1_000)),
        returns: .value(.list(.record("title"))), route: .init(.get, "/series", .everyone),
        examples: APIExample(
            #"catalogue.update("9780441013593", { series = "Dune Chronicles", series_number = "vol. 1" }) "#
                + #"return catalogue.series{ name = "dune chronicles" }[1].title"#, #""Dune""#)
    ) { call in
        let name: String = try call.arguments.need("name")
        return try call.read { session in
            let titles = try session.catalogue.series(name, call.part(50))
            return [APIRecord.title.list(try session.counted(titles))]
        }
    }
}
