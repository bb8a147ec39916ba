import Foundation
import TestSupport
import Testing

@testable import benchmarks

@Suite("Company")
struct CompanyTests {
    private static func figure(_ kind: CompanyKind, milliseconds: [UInt64]) -> CompanyFigure {
        CompanyFigure(
            store: .sqlite, kind: kind, titles: 100, times: milliseconds.map { $0 * 1_000_000 }, seconds: 2, done: 1)
    }

    @Test("percentiles are the times that half and 99 of a hundred checkouts took at most")
    func percentiles() {
        let figure = Self.figure(.alone, milliseconds: (1...200).reversed())
        #expect(figure.usual == 100_000_000)
        #expect(figure.late == 198_000_000)
        #expect(figure.perSecond == 100)
        #expect(Self.figure(.alone, milliseconds: [7]).late == 7_000_000)
        #expect(Self.figure(.alone, milliseconds: []).late == .infinity)
    }

    @Test(
        "in company a checkout may take 50 ms, or twice as long as alone where that is more",
        arguments: [(20, 50, false), (20, 51, true), (40, 80, false), (40, 81, true)] as [(UInt64, UInt64, Bool)])
    func verdicts(alone: UInt64, company: UInt64, isAbove: Bool) {
        let figures = [
            Self.figure(.alone, milliseconds: [alone]), Self.figure(.sweep, milliseconds: [company]),
        ]
        #expect(CompanyVerdict.isAbove(figures[1], in: figures) == isAbove)
        #expect(!CompanyVerdict.isAbove(figures[0], in: figures))
        #expect(CompanyVerdict.isAbove(Self.figure(.alone, milliseconds: [51]), in: []))
        let report = CompanyReport(figures: figures)
        #expect(report.tsv.split(separator: "\n").count == 3)
        #expect(report.tsv.contains("\tABOVE\n") == isAbove)
        #expect(report.page.contains("<svg class=\"chart\""))
    }

    @Test("a desk lends at a server of its own while others are at work")
    func shortRun() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("company-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let setting = try CompanySetting(store: .sqlite, titles: 400, folder: folder)
        for kind in [CompanyKind.sweep, .plugins, .readers] {
            let figure = try setting.measure(kind, seconds: 0.2, readers: 4)
            #expect(figure.count > 0 && figure.late >= figure.usual && figure.usual > 0, "\(kind)")
            #expect(kind != .readers || figure.done > 0)
        }
    }
}
