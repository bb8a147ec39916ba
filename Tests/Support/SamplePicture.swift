import Foundation

/// Pictures for trials: small files of each kind, and PNG files of any pixels.
package enum SamplePicture {
    /// 48 by 32 pixels, red and blue.
    package static let jpeg = bytes(
        """
        /9j/4AAQSkZJRgABAQEAYABgAAD//gA7Q1JFQVRPUjogZ2QtanBlZyB2MS4wICh1c2luZyBJSkcgSlBFRyB2NjIpLCBxdWFsaXR5
        ID0gNjAK/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP
        /9sAQwEODg4TERMmFRUmTzUtNU9PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P/8AAEQgA
        IAAwAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUS
        ITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0
        dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX2
        9/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXET
        IjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKD
        hIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwD
        AQACEQMRAD8Ax6KKK80+qCq1WarV6+Vfb+X6ng539j5/oFFFFeseCWaKKK+SPvAqtVmq1evlX2/l+p4Od/Y+f6BRRRXrHgn/2Q==
        """)

    /// The same as WebP.
    package static let webp = bytes(
        """
        UklGRlYAAABXRUJQVlA4IEoAAADwAwCdASowACAAPrVOoUunJCMhsBVYAOAWiUAYCulfAN4AAR1l4X5AAP7paR+GAai//jeJLkq2438YY1iogeyPbUnTy9py
        U5wAAA==
        """)

    /// The same as GIF.
    package static let gif = bytes(
        """
        R0lGODdhMAAgAIAAACRSpMQyJCwAAAAAMAAgAAACVYyPqQftD6NbtMqLq064ww0G3giEG+mZGtqpFnu5FBzLCi3ZN/7pCN/zGYAPIYPYMA6RJSWzaXwqRcyp
        1FnFIq3ZaFd49W61RO5YXCYDzWn0Ws1jAwsAOw==
        """)

    /// The same as PNG.
    package static let png = png(width: 48, height: 32) { x, _ in
        x < 24 ? [0xC0, 0x30, 0x20, 0xFF] : [0x20, 0x50, 0xA0, 0xFF]
    }

    private static func bytes(_ text: String) -> [UInt8] {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
    }

    /// A PNG file.
    ///
    /// - Parameter pixel: red, green, blue and opacity at a place.
    package static func png(width: Int, height: Int, pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += pixel(x, y) }
        }
        return png(width: width, height: height, rows: rows)
    }

    /// A PNG file that says that it has these sides, whatever rows it has.
    package static func png(width: Int, height: Int, rows: [UInt8]) -> [UInt8] {
        var data: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: max(rows.count, 1), by: 0xFFFF) {
            let part = rows[start..<min(rows.count, start + 0xFFFF)]
            let count = UInt16(part.count)
            data.append(start + part.count == rows.count ? 1 : 0)
            data += [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
            data += [UInt8(truncatingIfNeeded: ~count), UInt8(~count >> 8)]
            data += part
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in rows {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        data += big(b << 16 | a)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [8, 6, 0, 0, 0]) + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        var sum = ~UInt32(0)
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return big(UInt32(data.count)) + body + big(~sum)
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A JPEG file with an EXIF block: how it is to be turned, and where it was taken.
    package static func photograph(_ jpeg: [UInt8], orientation: UInt8) -> [UInt8] {
        let place = Array("GPS 52.5200 N 13.4050 E".utf8)
        let entries: [UInt8] =
            [0, 2] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
            + [0x01, 0x0E, 0, 2, 0, 0, 0, UInt8(place.count), 0, 0, 0, 38] + [0, 0, 0, 0]
        let block = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + entries + place
        return jpeg[..<2] + [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + jpeg[2...]
    }
}
