/// The figures of a chart's first series as parts of a whole, the largest first; the smallest of many are one.
struct PieSlices {
    private static let most = 8

    struct Slice {
        var name: String
        var value: Double
    }

    let all: [Slice]
    private let negative: Int

    init(_ data: ChartData) {
        let known = zip(data.labels, data.values.first ?? []).compactMap { label, value in
            value.map { Slice(name: label, value: $0) }
        }
        let positive = known.filter { $0.value > 0 }.sorted { $0.value > $1.value }
        negative = known.count { $0.value < 0 }
        if positive.count > PieSlices.most {
            let rest = positive[(PieSlices.most - 1)...]
            let sum = rest.reduce(0) { $0 + $1.value }
            all = positive[..<(PieSlices.most - 1)] + [Slice(name: "\(rest.count) others", value: sum)]
        } else {
            all = positive
        }
    }

    var total: Double { all.reduce(0) { $0 + $1.value } }

    /// What has to be said besides.
    var remark: String? {
        if negative > 0 { return "\(negative) below nought: not drawn" }
        return all.isEmpty ? "nothing to divide" : nil
    }

    func percent(_ slice: Slice) -> String {
        let share = slice.value / total * 100
        if share < 0.1 { return "under 0.1%" }
        return (Decimals.text(share, decimals: share < 9.95 ? 1 : 0) ?? "") + "%"
    }
}
