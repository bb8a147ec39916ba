import Testing
import TextFormats

@Suite("JSON as cJSON prints it")
struct TabbedJSONTests {
    @Test("the layout is that of cJSON_Print, to the byte")
    func layout() throws {
        let source =
            #"[{"t":"\"q\" \\ \u0001\u001f\n\t/\b\f\r é","n":3,"a":[],"o":{},"x":[1,[2,{"y":true}],{"z":null}]},{"k":false}]"#
        // Written by cJSON 1.7.15.
        let printed = """
            [{
            \t\t"t":\t"\\"q\\" \\\\ \\u0001\\u001f\\n\\t/\\b\\f\\r é",
            \t\t"n":\t3,
            \t\t"a":\t[],
            \t\t"o":\t{
            \t\t},
            \t\t"x":\t[1, [2, {
            \t\t\t\t\t"y":\ttrue
            \t\t\t\t}], {
            \t\t\t\t"z":\tnull
            \t\t\t}]
            \t}, {
            \t\t"k":\tfalse
            \t}]
            """
        let json = try JSONParser.parse(Array(source.utf8))
        #expect(json.tabbedText() == printed)
        #expect(try JSONParser.parse(Array(printed.utf8)) == json)
    }
}
