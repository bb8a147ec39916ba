import Circulation
import Desk
import Dispatch
import Pictures

/// Has each uploaded picture read by a process of this program that may do nothing else: whatever a decoder
/// is made to do, it is done there.
struct PictureProcess: PictureWriter {
    /// How long one may take, on the wall; of processor time it takes far less.
    private static let limit = Duration.seconds(60)
    /// Each may take some hundred megabytes.
    private static let most = DispatchSemaphore(value: 2)

    func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture {
        guard bytes.count <= PictureLimits.mostBytes else { throw .tooLarge }
        Self.most.wait()
        defer { Self.most.signal() }
        let ending: BoundedProcess.Ending
        do {
            var process = try BoundedProcess(["picture"], mostBytes: WrittenPicture.mostAnswered)
            process.input = bytes
            ending = try process.run(until: .now + Self.limit)
        } catch {
            throw PictureFault(.unavailable, "Pictures are not read here: the system starts no process for them.")
        }
        if let fault = PictureWork.fault(status: ending.status) { throw fault }
        guard let answer = ending.answer, let picture = WrittenPicture(answer: Array(answer)) else { throw .damaged }
        return picture
    }
}
