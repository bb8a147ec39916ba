/// A currency by its ISO 4217 code, with the decimals of its minor unit: EUR has 2, JPY none, KWD 3.
package struct Currency: Hashable, Sendable {
    /// The three letters, one a byte.
    private let letters: (UInt8, UInt8, UInt8)
    private let decimals: UInt8

    /// The currency of a fresh library.
    package static let eur = Currency(letters: (0x45, 0x55, 0x52), decimals: 2)

    private init(letters: (UInt8, UInt8, UInt8), decimals: UInt8) {
        self.letters = letters
        self.decimals = decimals
    }

    /// The currency of that code in capitals, or nil if ISO 4217 has none.
    package init?(code: String) {
        let bytes = Array(code.utf8)
        guard bytes.count == 3, Currency.codes.contains(code) else { return nil }
        letters = (bytes[0], bytes[1], bytes[2])
        decimals = Currency.unusualExponents[code] ?? 2
    }

    /// - Throws: ``MoneyError/Code/unknownCurrency``.
    package init(named code: String) throws(MoneyError) {
        guard let currency = Currency(code: code) else { throw MoneyError.unknownCurrency(code) }
        self = currency
    }

    /// `EUR`
    package var code: String {
        String(decoding: [letters.0, letters.1, letters.2], as: UTF8.self)
    }

    /// The number of decimals.
    package var exponent: Int { Int(decimals) }

    /// Minor units in one major unit: 100 cents in a euro.
    package var minorUnitsPerUnit: Int64 {
        var power: Int64 = 1
        for _ in 0..<decimals { power *= 10 }
        return power
    }

    package static func == (left: Currency, right: Currency) -> Bool { left.letters == right.letters }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(letters.0)
        hasher.combine(letters.1)
        hasher.combine(letters.2)
    }
}

extension Currency: CustomStringConvertible {
    package var description: String { code }
}

extension Currency {
    /// All codes in use, in order.
    package static var allCodes: [String] { codes.sorted() }

    /// ISO 4217 list one (currencies of countries), without funds codes and metals.
    private static let codes: Set<String> = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD \
        CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD \
        GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT \
        LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR \
        NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP \
        STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD \
        XCG XOF XPF YER ZAR ZMW ZWG
        """.split(separator: " ").map(String.init))

    /// The currencies whose minor unit is not a hundredth (ISO 4217, column "minor unit").
    private static let unusualExponents: [String: UInt8] = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
        "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3,
        "TND": 3,
    ]
}
