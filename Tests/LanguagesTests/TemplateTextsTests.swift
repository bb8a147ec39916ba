import Testing

@testable import Languages

@Suite("Texts of templates")
struct TemplateTextsTests {
    private func language(_ translations: [String: String], _ direction: Language.Direction = .leftToRight) throws
        -> Language
    {
        let entries = translations.map { "msgid \(CatalogueFile.literal($0))\nmsgstr \(CatalogueFile.literal($1))\n" }
        let file = try CatalogueFile(entries.joined(separator: "\n"), file: "x.po")
        return Language(
            code: "xx", name: "X", direction: direction, catalogue: try MessageCatalogue(file, name: "x.po"))
    }

    @Test(
        "a text is what stands between elements that divide a page",
        arguments: [
            ("<p>One</p><p>Two</p>", ["One", "Two"]),
            ("<p>Of {{name}}, <a href=\"{{link}}\">this</a></p>", ["Of {name}, <1>this</1>"]),
            ("<a href=\"/\">One</a> <a href=\"/\">Two</a>", ["One", "Two"]),
            ("<p><a href=\"/\">Alone</a></p>", ["Alone"]),
            ("You may{{#due}} until {{>time}}{{/due}}.", ["You may", "until {time}"]),
            ("{{#a}}<b>{{.}}</b> left{{/a}}", ["<1>{it}</1> left"]),
            ("<label>Name<input placeholder=\"As on {{card}}\" title=\"{{x}}\"></label>", ["Name", "As on {card}"]),
            ("<img alt=\"Cover\"><svg><title>x</title></svg><script>var a = \"b c\";</script>", ["Cover"]),
            ("<p>a &amp; b&nbsp;&lt;c&gt;</p>", ["a & b\u{A0}<c>"]),
            ("<td{{#late}} class=\"late\"{{/late}}>Late</td>", ["Late"]),
            ("<p>\n Over\n two lines\n</p>", ["Over two lines"]),
            ("{{! a remark }}<!-- another -->12 {{number}}", []),
        ] as [(String, [String])])
    func identifiers(template: String, wanted: [String]) {
        #expect(TemplateTexts(template).identifiers == wanted)
        // Without a translation the template stays as it is.
        #expect(TemplateTexts(template).translated(to: .english) == template)
    }

    @Test("a translation moves values and elements, and is no markup itself")
    func translating() throws {
        let template = "<p>Of {{name}}, <a href=\"{{link}}\" title=\"Go there\">this</a>!</p> <b>{{{raw}}}</b>"
        let translated = try language([
            "Of {name}, <1>this</1>!": "<1>Dies</1> von {name} & <b>{{ x }}</b>", "Go there": "\"Hin\"",
        ])
        #expect(
            TemplateTexts(template).translated(to: translated)
                == "<p><a href=\"{{link}}\" title=\"&quot;Hin&quot;\">Dies</a> von {{name}} &amp; "
                + "&lt;b&gt;&#123;&#123; x &#125;&#125;&lt;/b&gt;</p> <b>{{{raw}}}</b>")
        let arabic = try language(["Of {name}": "{name} X"], .rightToLeft)
        #expect(TemplateTexts("<p>Of {{name}}</p>").translated(to: arabic) == "<p>\u{2068}{{name}}\u{2069} X</p>")
    }

    @Test("whatever stands in a template comes out of it again")
    func roundTrip() {
        var pieces = [
            "<p>", "</p>", "<a href=\"", "\">", "</a>", "{{x}}", "{{#y}}", "{{/y}}", "{{", "}}", "<", ">", "a b", " ",
            "\"", "<!--",
        ]
        for _ in 0..<300 {
            pieces.shuffle()
            let template = pieces.joined()
            #expect(TemplateTexts(template).translated(to: .english) == template)
        }
    }
}
