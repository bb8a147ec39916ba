extension PolicyFailure {
    /// Runs `body` and makes what it throws the policy's own failure, at the row that asked for the impossible: a date
    /// out of range, a calendar without an open day, two currencies in one sum.
    ///
    /// A ``PolicyFailure`` without a place gets this one; other errors pass.
    static func placing<Value>(
        at origin: @autoclosure () -> RuleOrigin?, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as PolicyFailure where error.file == nil {
            let origin = origin()
            throw PolicyFailure(code: error.code, message: error.message, file: origin?.file, line: origin?.line)
        } catch let error as TimeError {
            let origin = origin()
            throw PolicyFailure(
                code: "bad_answer", message: error.message, file: origin?.file, line: origin?.line)
        } catch let error as MoneyError {
            let origin = origin()
            throw PolicyFailure(
                code: "bad_answer", message: error.message, file: origin?.file, line: origin?.line)
        }
    }
}
