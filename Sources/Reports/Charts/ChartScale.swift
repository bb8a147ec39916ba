import Foundation

/// The axis of figures: from a round one to a round one, in round steps.
///
/// Steps are 1, 2 or 5 times a power of ten, about five of them. Bars and areas begin at nought; lines do where their figures
/// are not all far from it.
struct ChartScale {
    let bottom: Double
    let top: Double
    let step: Double

    /// - Parameter figures: finite, at most ``largest`` in magnitude.
    init(of figures: [Double], beginsAtZero: Bool) {
        var low = figures.min() ?? 0
        var high = figures.max() ?? 0
        let isFar = high - low < 0.25 * max(abs(high), abs(low)) && low * high > 0
        if beginsAtZero || !isFar {
            low = min(0, low)
            high = max(0, high)
        }
        if high - low < ChartScale.smallest { high = low + 1 }
        let step = ChartScale.step(atLeast: (high - low) / 5, isWhole: figures.allSatisfy { $0 == $0.rounded() })
        self.step = step
        bottom = (low / step).rounded(.down) * step
        top = max((high / step).rounded(.up) * step, bottom + step)
    }

    /// What lies beyond is drawn as this much.
    static let largest = 1e15
    private static let smallest = 1e-12

    private static func step(atLeast least: Double, isWhole: Bool) -> Double {
        let power = pow(10, floor(log10(least)))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999_999 } ?? 10 * power
        return isWhole ? max(1, step) : step
    }

    /// The figures at which the axis has lines.
    var ticks: [Double] {
        (0...min(12, Int(((top - bottom) / step).rounded()))).map { bottom + Double($0) * step }
    }

    /// A figure as it stands at the axis; millions and more as such.
    func label(_ tick: Double) -> String {
        let largest = max(abs(top), abs(bottom))
        let (unit, mark) =
            [(1e12, "T"), (1e9, "G"), (1e6, "M")].first { largest >= $0.0 && step >= $0.0 / 1000 } ?? (1, "")
        let decimals = max(0, min(12, Int((-floor(log10(step / unit))).rounded())))
        let value = abs(tick) < step / 2 ? 0 : tick / unit
        let text = Decimals.text(value, decimals: decimals) ?? value.description
        return value == 0 ? "0" : Decimals.grouped(text) + (mark.isEmpty ? "" : "\u{202F}" + mark)
    }

    /// Where a figure stands between the bottom (0) and the top (1).
    func share(_ value: Double) -> Double { (value - bottom) / (top - bottom) }
}
