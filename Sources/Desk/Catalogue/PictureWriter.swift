package import Circulation
package import Pictures

/// Reads pictures that people give and writes them anew: the desk itself looks at no byte of one.
package protocol PictureWriter: Sendable {
    /// The picture as it is kept; it may take seconds.
    ///
    /// - Parameter bytes: anything may stand there.
    func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture
}

extension Desk {
    /// An uploaded picture, as it is kept: read outside of any transaction.
    package func read(picture bytes: [UInt8]) -> Result<WrittenPicture, PictureFault> {
        Result { () throws(PictureFault) in
            let writer: (any PictureWriter)?
            do {
                writer = try outside.pictures()
            } catch {
                writer = nil
            }
            guard let writer else { throw PictureFault(.unavailable, "Pictures cannot be processed here.") }
            return try writer.write(bytes)
        }
    }
}

extension Result where Success == WrittenPicture, Failure == PictureFault {
    /// The picture.
    ///
    /// - Throws: ``Refused``, as the fault says.
    package func admitted() throws(Refused) -> WrittenPicture {
        switch self {
        case .success(let picture): return picture
        case .failure(let fault): throw Refused(fault.code.rawValue, fault.description)
        }
    }
}
