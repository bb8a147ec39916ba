import Circulation

extension SeededGenerator {
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &self) }
}
