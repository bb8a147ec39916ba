package import Circulation

extension WrittenPicture.Image {
    /// Whether it is within bounds and begins and ends as a JPEG file does.
    fileprivate func isSound(side: Int, most: Int) -> Bool {
        (1...side).contains(width) && (1...side).contains(height) && bytes.count <= most
            && bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.suffix(2) == [0xFF, 0xD9]
    }
}

extension WrittenPicture {
    /// Whether both files are as a process that reads pictures writes them.
    package var isSound: Bool {
        whole.isSound(side: PictureLimits.side, most: PictureLimits.mostWritten)
            && small.isSound(side: PictureLimits.smallSide, most: PictureLimits.mostSmall)
    }

    /// The most bytes of an answer.
    package static let mostAnswered = 24 + PictureLimits.mostWritten + PictureLimits.mostSmall

    /// What a process that was given a picture answered: it may have been made to answer anything.
    ///
    /// - Returns: nil for anything but two sound images.
    package init?(answer: [UInt8]) {
        guard answer.count >= 24 else { return nil }
        let numbers = stride(from: 0, to: 24, by: 4).map { place in
            answer[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let (wholeCount, smallCount) = (numbers[2], numbers[5])
        guard answer.count == 24 + wholeCount + smallCount else { return nil }
        self.init(
            whole: Image(width: numbers[0], height: numbers[1], bytes: Array(answer[24..<24 + wholeCount])),
            small: Image(width: numbers[3], height: numbers[4], bytes: Array(answer[(24 + wholeCount)...])))
        guard isSound else { return nil }
    }
}
