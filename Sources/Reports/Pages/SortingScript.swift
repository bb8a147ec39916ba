import TextFormats

/// The script that lets a reader sort tables: buttons in the headings, which a keyboard reaches, and `aria-sort`.
///
/// A table is complete without it. A cell is sorted by its attribute `data-v` where it has one, else by its text, in
/// columns of `data-sort="n"` as a number; empty cells stay last. The third press restores the report's own order.
enum SortingScript {
    /// How the page's policy of content names the script.
    static let source = "sha256-" + base64(of: SHA256.hexadecimal(of: text.utf8))

    static let text = """
        "use strict";
        document.querySelectorAll("table.sortable").forEach(table => {
          const body = table.tBodies[0], own = Array.from(body.rows), heads = Array.from(table.tHead.rows[0].cells);
          const words = new Intl.Collator(undefined, { numeric: true });
          heads.forEach((head, column) => {
            const button = document.createElement("button"), isFigure = head.dataset.sort === "n";
            button.type = "button";
            button.append(...head.childNodes);
            head.append(button);
            head.setAttribute("aria-sort", "none");
            const key = row => { const cell = row.cells[column]; return cell.dataset.v ?? cell.textContent; };
            button.addEventListener("click", () => {
              const now = head.getAttribute("aria-sort");
              const next = now === "none" ? "ascending" : now === "ascending" ? "descending" : "none";
              heads.forEach(other => other.setAttribute("aria-sort", "none"));
              head.setAttribute("aria-sort", next);
              const sign = next === "descending" ? -1 : 1, rows = own.slice();
              if (next !== "none") rows.sort((left, right) => {
                const a = key(left), b = key(right);
                if (a === "" || b === "") return (a === "") - (b === "");
                return sign * (isFigure ? a - b : words.compare(a, b));
              });
              body.append(...rows);
            });
          });
        });
        """

    /// Base64 (RFC 4648) of bytes that are given as hexadecimal digits.
    private static func base64(of hexadecimal: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = hexadecimal.compactMap(\.hexDigitValue).flatMap { digit in (0..<4).map { digit >> (3 - $0) & 1 } }
        var text = ""
        for start in stride(from: 0, to: bits.count, by: 6) {
            let place = (start..<start + 6).reduce(0) { $0 << 1 | ($1 < bits.count ? bits[$1] : 0) }
            text.append(alphabet[place])
        }
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
