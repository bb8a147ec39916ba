import Circulation
import TestSupport
import Testing
import TextFormats

@Suite("ISBN")
struct ISBNTests {
    @Test(
        "Whatever form it is written in, the same book has the same number",
        arguments: [
            "9783161484100", "978-3-16-148410-0", "978 3 16 148410 0", "316148410X", "3-16-148410-x",
            "ISBN 978-3-16-148410-0",
            "ISBN-13: 978-3-16-148410-0", "ISBN-10 3-16-148410-X", "isbn:316148410X", "978–3–16–148410–0",
        ])
    func forms(_ text: String) throws {
        let isbn = try ISBN(text)
        #expect(isbn.digits13 == "9783161484100")
        #expect(isbn.isbn10 == "316148410X")
        #expect(isbn.description == "9783161484100")
    }

    @Test(
        "What is no ISBN is refused with its reason",
        arguments: [
            ("", ISBNError.Code.empty), ("---", .empty), ("9783161484101", .badCheckDigit),
            ("3161484100", .badCheckDigit), ("316148410", .badLength),
            ("97831614841000", .badLength), ("9773161484102", .notABook), ("X161484100", .badCharacter),
            ("316148X10X", .badCharacter), ("316148410XX", .badCharacter),
            ("978316148410X", .badCharacter), ("3161484I0X", .badCharacter), ("9.78043902348e+12", .badCharacter),
            ("９７８３１６１４８４１００", .badCharacter),
            ("316148410X (pbk.)", .badCharacter), (String(repeating: "9", count: 100_000), .badLength),
        ])
    func malformed(_ text: String, _ code: ISBNError.Code) throws {
        let error = try #require(throws: ISBNError.self) { try ISBN(text) }
        #expect(error.code == code)
    }

    @Test("Numbers with the prefix 979 have no ISBN-10")
    func prefix979() throws {
        #expect(try ISBN("979-10-90636-07-1").isbn10 == nil)
        #expect(try ISBN("9791090636071").digits13 == "9791090636071")
    }

    @Test(
        "Of the ten possible check digits just one is taken, in both forms",
        arguments: ["978316148410", "978000000000", "979999999999", "978043902348"])
    func oneCheckDigit(_ twelve: String) {
        #expect((0...9).count { (try? ISBN("\(twelve)\($0)")) != nil } == 1)
        let nine = twelve.suffix(9)
        #expect(
            ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "X"].count { (try? ISBN("\(nine)\($0)")) != nil } == 1)
    }

    @Test(
        "Any single wrong digit and any swap of unlike neighbours in an ISBN-10 is noticed",
        arguments: ["0306406152", "316148410X", "0000000000"])
    func typingErrors(_ text: String) throws {
        _ = try ISBN(text)
        let digits = Array(text)
        for index in digits.indices.dropLast() {
            for wrong in "0123456789" where wrong != digits[index] {
                var changed = digits
                changed[index] = wrong
                #expect(throws: ISBNError.self) { try ISBN(String(changed)) }
            }
            var swapped = digits
            swapped.swapAt(index, index + 1)
            if swapped != digits { #expect(throws: ISBNError.self) { try ISBN(String(swapped)) } }
        }
    }

    @Test("ISBN-10 and ISBN-13 lead to each other", arguments: 0..<10)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let nine = String(String(Int.random(in: 1_000_000_000...1_999_999_999, using: &random)).dropFirst())
            let digit = try #require(Array("0123456789X").first { (try? ISBN("\(nine)\($0)")) != nil })
            let isbn = try ISBN("\(nine)\(digit)")
            #expect(isbn.isbn10 == "\(nine)\(digit)")
            #expect(try ISBN(isbn.digits13) == isbn)
        }
    }

    @Test("ISBNs order as their digits do")
    func order() throws {
        #expect(try ISBN("9780306406157") < ISBN("9783161484100"))
    }

    @Test(
        "python-stdnum's cases hold, except that nine digits are never padded",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
    func stdnum() throws {
        var reader = CSVReader(
            source: MemoryByteSource(try SharedData.bytes("data/malformed/isbn/stdnum_isbn_cases.tsv")),
            separator: UInt8(ascii: "\t"))
        _ = try reader.next()
        var checked = 0
        while let record = try reader.next() {
            let (function, input, expected) = (record.fields[0], record.fields[1], record.fields[3])
            guard ["validate", "to_isbn13", "is_valid", "to_isbn10"].contains(function), !input.hasPrefix("12-34567")
            else { continue }
            let isbn = try? ISBN(input)
            if expected.hasPrefix("Invalid") {
                // Of numbers that are ISBN-13 but have no ISBN-10 only the conversion fails.
                #expect(function == "to_isbn10" ? isbn?.isbn10 == nil : isbn == nil, "\(input)")
            } else {
                let digits = expected.filter { $0.isNumber || $0 == "X" }
                #expect((function == "to_isbn10" ? isbn?.isbn10 : isbn?.digits13) == digits, "\(input)")
            }
            checked += 1
        }
        #expect(checked >= 15)
    }
}

@Suite("ISBN repair")
struct ISBNRepairTests {
    @Test(
        "Lost zeros and rounded digits are restored when what is left proves them",
        arguments: [
            ("439023483", "9.78043902348e+12", "9780439023481", true),
            ("61120081", "9.78006112008e+12", "9780061120084", true),
            ("1594480001", "9.78159448e+12", "9781594480003", true), ("62301233", "", "9780062301239", true),
            ("067001821X", "", "9780670018215", false),
            ("316148410X", "9783161484100", "9783161484100", false), ("", "9783161484100", "9783161484100", false),
            ("", "9783161484100.0", "9783161484100", true),
            ("1484724917", "9.78142314674e+12", "9781484724910", false), ("316148410X", "n/a", "9783161484100", false),
        ])
    func restored(_ short: String, _ long: String, _ expected: String, _ isRepaired: Bool) throws {
        let finding = try #require(ISBNRepair.from(isbn10Text: short, isbn13Text: long))
        #expect(finding.isbn.digits13 == expected)
        #expect(finding.isRepaired == isRepaired)
        if isRepaired { #expect(!finding.why.isEmpty) }
    }

    @Test(
        "Nothing is guessed",
        arguments: [
            ("", ""), ("", "9.78067172365e+12"), ("446612707", "9.78055381395e+12"), ("812971060", "9.78081297106e+12"),
            ("439692393", "9.78044041579e+12"),
            ("439023484", "9.78043902348e+12"), ("439023483", "9.8e+12"), ("439023483", "nan"), ("439023483", "inf"),
            ("4390234831234", ""), ("abc", "def"), ("0", ""),
            ("62301233", "n/a"),
        ])
    func notGuessed(_ short: String, _ long: String) {
        #expect(ISBNRepair.from(isbn10Text: short, isbn13Text: long) == nil)
    }

    @Test(
        "Of ten thousand spoilt books most are restored",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
    func goodbooks() throws {
        var reader = CSVReader(source: MemoryByteSource(try SharedData.bytes("data/catalogue/goodbooks-10k/books.csv")))
        let header = CSVHeader(try #require(try reader.next()))
        var (books, found, repaired, wrongZeros) = (0, 0, 0, 0)
        while let record = try reader.next() {
            books += 1
            let short = try #require(header.field("isbn", of: record))
            let finding = ISBNRepair.from(
                isbn10Text: short, isbn13Text: try #require(header.field("isbn13", of: record)))
            guard let finding else { continue }
            found += 1
            if finding.isRepaired { repaired += 1 }
            if finding.isbn.isbn10?.hasSuffix(short) != true { wrongZeros += 1 }
        }
        #expect(books == 10_000)
        #expect(found == 9_264)
        #expect(repaired == 9_242)
        #expect(wrongZeros == 0)
    }
}
