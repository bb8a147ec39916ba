import Circulation
import Pictures
import TestSupport
import Testing

@Suite("Pictures as they are kept")
struct WrittenPictureTests {
    static func answer(_ numbers: [Int], _ bytes: [UInt8]) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } } + bytes
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 0xFF, 0xD9]

    @Test("an answer of two sound images is taken")
    func sound() throws {
        let answer = Self.answer([1200, 30, 7, 320, 8, 7], Self.jpeg + Self.jpeg)
        let picture = try #require(WrittenPicture(answer: answer))
        #expect(picture.whole == .init(width: 1200, height: 30, bytes: Self.jpeg))
        #expect(picture.small == .init(width: 320, height: 8, bytes: Self.jpeg))
    }

    @Test(
        "an answer that says anything else is not",
        arguments: [
            [0, 30, 7, 320, 8, 7], [1201, 30, 7, 320, 8, 7], [1200, 30, 7, 321, 8, 7], [1200, 30, 8, 320, 8, 7],
            [1200, 30, 6, 320, 8, 8], [1200, 30, 14, 320, 8, 0], [1200, 30, 0xFFFF_FFFF, 320, 8, 7],
            [1200, 0x8000_0000, 7, 320, 8, 7],
        ])
    func unsound(numbers: [Int]) {
        #expect(WrittenPicture(answer: Self.answer(numbers, Self.jpeg + Self.jpeg)) == nil)
    }

    @Test("files that are no JPEG, and answers that are cut or go on, are not taken")
    func files() {
        let numbers = [12, 30, 7, 32, 8, 7]
        let html = Array("<html/>".utf8)
        #expect(WrittenPicture(answer: Self.answer(numbers, html + Self.jpeg)) == nil)
        #expect(WrittenPicture(answer: Self.answer(numbers, Self.jpeg + html)) == nil)
        let whole = Self.answer(numbers, Self.jpeg + Self.jpeg)
        #expect(WrittenPicture(answer: whole) != nil)
        for count in 0..<whole.count { #expect(WrittenPicture(answer: Array(whole[..<count])) == nil) }
        #expect(WrittenPicture(answer: whole + [0]) == nil)
    }

    @Test("whatever ends a process is a fault of its picture, unless it said that it could do nothing")
    func endings() {
        #expect(PictureWork.fault(status: 0) == nil)
        for status in [nil, 1, 82, 134, 255] as [Int32?] { #expect(PictureWork.fault(status: status) == .damaged) }
        #expect(PictureWork.fault(status: 80) == .unknown)
        #expect(PictureWork.fault(status: 81) == .tooLarge)
        for status in [83, 84] as [Int32] { #expect(PictureWork.fault(status: status)?.code == .unavailable) }
    }
}
