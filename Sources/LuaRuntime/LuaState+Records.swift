internal import CLuaGuard

extension LuaState {
    /// Keeps a string in the state: reading a field by it, or putting it in a record, allocates nothing.
    package func key(_ text: String) throws(LuaError) -> LuaKey {
        prepareEntry()
        var text = text
        let number = text.withUTF8 { guard_intern(machine, $0.baseAddress, $0.count) }
        guard number >= 0 else { throw LuaError(code: .memory, message: "there is no memory for a key") }
        return LuaKey(number: number)
    }

    func number(of type: LuaRecordType) throws(LuaError) -> Int32 {
        for known in recordTypes where known.type === type { return known.number }
        let number = Self.withCStrings(type.fields) {
            guard_record_type(machine, type.name, $0, Int32(type.fields.count))
        }
        guard number >= 0 else { throw LuaError(code: .unavailable, message: "the record \(type.name) cannot be made") }
        recordTypes.append((type, number))
        return number
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
    ) -> R {
        let bytes = strings.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in strings {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += string.utf8.count + 1
            }
            return body(pointers)
        }
    }

    /// Calls a function with one to three records of a frame, and reads its answer in place.
    ///
    /// The answer, and every string read from it without a copy, is good only inside `read`. The frame stays open: call
    /// ``LuaFrame/end()`` after the last call that may see its records. Throws what ``call(_:_:limits:)`` throws, and
    /// what `read` throws.
    package func call<T>(
        _ function: LuaFunction, frame: LuaFrame, records first: LuaRecordRef, _ second: LuaRecordRef? = nil,
        _ third: LuaRecordRef? = nil, limits: LuaLimits? = nil, read: (borrowing LuaResults) throws -> T
    ) throws -> T {
        guard function.belongs(to: self) else { throw Self.foreign }
        prepareEntry()
        let memory = applyMemory(limits)
        var limits = limits?.native ?? native
        var numbers = (first.number, second?.number ?? -1, third?.number ?? -1)
        let given: Int32 = third != nil ? 3 : second != nil ? 2 : 1
        var (mark, count) = (Int32(0), Int32(0))
        let status = withUnsafeBytes(of: &numbers) { numbers in
            guard_call_frame(
                machine, function.reference, frame.pointer, numbers.assumingMemoryBound(to: Int32.self).baseAddress,
                given, &limits, &mark, &count)
        }
        defer { restoreMemory(memory) }
        guard status == GUARD_OK.code else { throw thrownError(status) }
        defer { guard_answer_end(machine, mark) }
        return try read(LuaResults(state: self, mark: mark, count: Int(count)))
    }
}
