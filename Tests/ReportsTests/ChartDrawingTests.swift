import Circulation
import Foundation
import Reports
import Testing

@Suite("Charts on a page")
struct ChartDrawingTests {
    /// Figures that are hard to draw.
    struct Hard: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var labels: [String]
        var series: [[Double?]]
        var isStacked = false
        var titles = true
    }

    static let hard: [Hard] = [
        Hard(testDescription: "months of two years", labels: months, series: [ramp(12), ramp(12).reversed()]),
        Hard(testDescription: "one", labels: ["only"], series: [[7]]),
        Hard(testDescription: "none", labels: [], series: [[]]),
        Hard(testDescription: "nothing known", labels: ["a", "b"], series: [[nil, .nan]]),
        Hard(testDescription: "all nought", labels: ["a", "b", "c"], series: [[0, 0, 0]]),
        Hard(testDescription: "below nought", labels: ["a", "b", "c", "d"], series: [[-3, 5, -8, 2]]),
        Hard(testDescription: "all below nought", labels: ["a", "b", "c"], series: [[-30, -5, -12.5]]),
        Hard(testDescription: "long labels", labels: titles, series: [ramp(9)]),
        Hard(testDescription: "long labels and signs", labels: titles, series: [ramp(9).map { $0.map { $0 - 4 } }]),
        Hard(testDescription: "wide characters", labels: ["図書館の本", "한국어 도서", "ألف ليلة وليلة"], series: [[3, 2, 1]]),
        Hard(testDescription: "days of a year", labels: (1...365).map { "day \($0)" }, series: [ramp(365)]),
        Hard(testDescription: "dates", labels: (10...39).map { "2026-\($0)-01" }, series: [ramp(30), ramp(30)]),
        Hard(testDescription: "large", labels: ["a", "b"], series: [[1e15, 9.99e14]]),
        Hard(testDescription: "larger than drawn", labels: ["a", "b"], series: [[1e308, -1e308]]),
        Hard(testDescription: "infinite", labels: ["a", "b", "c"], series: [[.infinity, 1, -.infinity]]),
        Hard(testDescription: "tiny", labels: ["a", "b"], series: [[1e-300, 2e-9]]),
        Hard(testDescription: "far from nought", labels: ["a", "b", "c"], series: [[1000, 1001, 1003]]),
        Hard(
            testDescription: "stacked", labels: months, series: [ramp(12), ramp(12), [-2] + ramp(11)], isStacked: true),
        Hard(
            testDescription: "stacked, long labels", labels: titles, series: [ramp(9), ramp(9)], isStacked: true),
        Hard(testDescription: "more series than colours", labels: months, series: (0..<11).map { _ in ramp(12) }),
        Hard(testDescription: "figures missing", labels: months, series: [[1, nil, 3, nil, nil, 6, 7]]),
        Hard(testDescription: "no titles", labels: ["a", "b"], series: [[1.5, 2.25]], titles: false),
    ]

    private static let months = (1...12).map { "2026-\($0 < 10 ? "0" : "")\($0)" }
    private static let titles = (1...9).map {
        "A History of the County of Wiltshire, volume \($0): the Hundreds of Kinwardstone"
    }
    private static func ramp(_ count: Int) -> [Double?] { (0..<count).map { Double($0 * $0 % 37 + 1) } }

    private static func page(_ hard: Hard, _ kind: ReportChart.Kind) -> String {
        let chart = ReportChart(
            kind: kind, title: hard.titles ? hard.testDescription : nil, labels: hard.labels,
            series: hard.series.enumerated().map { index, values in
                ReportChart.Series(name: hard.series.count > 1 ? "series \(index)" : "", values: values)
            }, labelTitle: hard.titles ? "what it is by" : nil, valueTitle: hard.titles ? "loans" : nil,
            unit: hard.titles ? "pieces" : nil, isStacked: hard.isStacked)
        return ReportFormat.html.render(ReportDocument(title: "Charts", blocks: [.chart(chart)]))
    }

    @Test(
        "texts of a chart stand within it and never on one another", arguments: hard, ReportChart.Kind.allCases)
    func room(hard: Hard, kind: ReportChart.Kind) throws {
        let drawing = try #require(try Drawing.all(in: Self.page(hard, kind)).first)
        let boxes = drawing.texts.map { (text: $0.words, box: $0.box) }
        for (text, box) in boxes {
            let isInside =
                box.left > -0.5 && box.right < drawing.width + 0.5 && box.top > -2 && box.bottom < drawing.height
            #expect(isInside, "\(text) at \(box)")
        }
        for (place, one) in boxes.enumerated() {
            for other in boxes[(place + 1)...] {
                let overlap =
                    one.box.left < other.box.right - 0.5 && other.box.left < one.box.right - 0.5
                    && one.box.top < other.box.bottom - 0.5 && other.box.top < one.box.bottom - 0.5
                #expect(!overlap, "'\(one.text)' and '\(other.text)'")
            }
        }
    }

    @Test("shapes stand within their chart, whatever the figures", arguments: hard, ReportChart.Kind.allCases)
    func shapes(hard: Hard, kind: ReportChart.Kind) throws {
        let drawing = try #require(try Drawing.all(in: Self.page(hard, kind)).first)
        for shape in drawing.shapes where shape.name == "rect" {
            let x = try #require(shape.number("x"))
            let y = try #require(shape.number("y"))
            let width = try #require(shape.number("width"))
            let height = try #require(shape.number("height"))
            let isInside =
                x >= 0 && y >= 0 && width >= 0 && height >= 0 && x + width <= drawing.width + 1
                && y + height <= drawing.height + 1
            #expect(isInside, "\(shape.attributes)")
        }
        for shape in drawing.shapes where shape.name == "circle" {
            #expect((0...drawing.width).contains(try #require(shape.number("cx"))))
            #expect((0...drawing.height).contains(try #require(shape.number("cy"))))
        }
    }

    @Test("a chart is described in words, with its figures in a table below")
    func accessible() throws {
        let chart = ReportChart(
            kind: .bar, title: "Loans", labels: ["Nov", "Dec"], series: [.init(name: "", values: [9, 33])],
            labelTitle: "months", valueTitle: "loans")
        let page = ReportFormat.html.render(ReportDocument(blocks: [.chart(chart)]))
        let drawing = try #require(try Drawing.all(in: page).first)
        #expect(drawing.title == "Loans")
        #expect(
            drawing.summary
                == "Bar chart: 2 months from Nov to Dec. loans: lowest 9 (Nov), highest 33 (Dec). The figures follow as a table."
        )
        #expect(page.contains("role=\"img\" aria-labelledby=\"c1t c1d\""))
        #expect(page.contains("<td>Nov</td><td class=\"figure\">9</td>"))
    }

    @Test(
        "the axis goes to a round figure in round steps",
        arguments: [
            ([3, 9, 33], ["0", "10", "20", "30", "40"]), ([0.2, 0.31], ["0.0", "0.1", "0.2", "0.3", "0.4"]),
            ([-3, 5], ["-4", "-2", "0", "2", "4", "6"]), ([1], ["0", "1"]),
            (
                [12_000, 48_000],
                ["0", "10\u{202F}000", "20\u{202F}000", "30\u{202F}000", "40\u{202F}000", "50\u{202F}000"]
            ),
            ([3_000_000], ["0", "1\u{202F}M", "2\u{202F}M", "3\u{202F}M"]),
        ] as [([Double], [String])])
    func ticks(values: [Double], expected: [String]) throws {
        let chart = ReportChart(
            kind: .area, labels: values.indices.map { "\(Character(UnicodeScalar(UInt8(97 + $0))))" },
            series: [.init(name: "", values: values)])
        let page = ReportFormat.html.render(ReportDocument(blocks: [.chart(chart)]))
        let drawing = try #require(try Drawing.all(in: page).first)
        let ticks = drawing.texts.filter { $0.anchor == "end" }.sorted { $0.y > $1.y }.map(\.words)
        #expect(ticks.map { $0 == "0.0" ? "0" : $0 } == expected.map { $0 == "0.0" ? "0" : $0 })
    }

    @Test("bars are as high as their figures, and those below nought hang down")
    func heights() throws {
        let chart = ReportChart(kind: .bar, labels: ["a", "b", "c"], series: [.init(name: "", values: [10, 20, -10])])
        let page = ReportFormat.html.render(ReportDocument(blocks: [.chart(chart)]))
        let bars = try #require(try Drawing.all(in: page).first).shapes.filter { $0.name == "rect" }
        let heights = bars.compactMap { $0.number("height") }
        try #require(heights.count == 3)
        #expect(abs(heights[1] - 2 * heights[0]) < 0.3 && abs(heights[2] - heights[0]) < 0.3)
        let tops = bars.compactMap { $0.number("y") }
        #expect(abs(tops[2] - (tops[0] + heights[0])) < 0.3)
    }

    @Test("the smallest slices of a pie are one, and shares add up")
    func pie() throws {
        let chart = ReportChart(
            kind: .pie, title: "Categories", labels: (1...20).map { "c\($0)" },
            series: [.init(name: "", values: (1...20).map { Double($0) })])
        let page = ReportFormat.html.render(ReportDocument(blocks: [.chart(chart)]))
        let drawing = try #require(try Drawing.all(in: page).first)
        #expect(drawing.shapes.count { $0.name == "path" } == 8)
        #expect(drawing.texts.contains { $0.words == "13 others" })
        #expect(drawing.texts.contains { $0.words == "91 (43%)" })
    }
}
