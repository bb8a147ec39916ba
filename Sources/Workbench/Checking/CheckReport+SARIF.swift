import Foundation
import LuaSyntax
package import TextFormats

extension PolicyCheck.Report {
    /// The findings of several reports in SARIF 2.1.0 (OASIS), which editors and code hosts show beside the source.
    package static func sarif(_ reports: [PolicyCheck.Report]) -> JSON {
        let findings = reports.flatMap(\.findings)
        let codes = Array(Set(findings.map(\.code))).sorted()
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": [
                            "name": "moonshelf policy check",
                            "rules": .array(
                                codes.map { code in
                                    ["id": .string(code), "shortDescription": ["text": .string(Self.words(code))]]
                                }),
                        ]
                    ],
                    // Columns count Unicode scalars, as findings do.
                    "columnKind": "unicodeCodePoints",
                    "results": .array(findings.map { result($0, codes) }),
                ]
            ],
        ]
    }

    private static func result(_ finding: Finding, _ codes: [String]) -> JSON {
        var region = JSONObject()
        region["startLine"] = .integer(Int64(finding.position.line))
        region["startColumn"] = .integer(Int64(finding.position.column))
        if let end = finding.endColumn { region["endColumn"] = .integer(Int64(end)) }
        let hint = finding.suggestion.map { " Write: \($0)" } ?? ""
        return [
            "ruleId": .string(finding.code),
            "ruleIndex": .integer(Int64(codes.firstIndex(of: finding.code) ?? 0)),
            "level": .string(finding.severity.rawValue),
            "message": ["text": .string(finding.message + hint)],
            "locations": [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": .string(uri(finding.file))], "region": .object(region),
                    ]
                ]
            ],
        ]
    }

    private static func uri(_ file: String) -> String {
        file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
    }

    /// What a code stands for, in a sentence.
    private static func words(_ code: String) -> String {
        switch code {
        case "syntax": "The file is not Lua."
        case "unknown_global": "A name that does not exist."
        case "unknown_api": "A function that its module does not have."
        case "wrong_argument": "An argument that the function does not take."
        case "unknown_field": "A field that its record does not have."
        case "unknown_rule_field": "A field that rows do not have."
        case "unknown_value": "A value that there is not."
        case "wrong_type": "A value of the wrong kind."
        case "unknown_point": "A key that policies do not have."
        case "missing_answer": "A path through a function that has to answer and does not."
        case "unused_answer": "An answer that is thrown away."
        case "unused_local": "A local variable that nothing reads."
        case "shadowed_local": "A local variable that hides another."
        case "may_be_nil": "A value that may be missing and is used nevertheless."
        case "constant_condition": "A condition that comes out the same for every case."
        case "unreachable_row": "A row that can never win."
        case "unreachable_field": "A field that can never win."
        case "refused_identifier": "A name that policies may not use."
        case "stateful": "Something kept between two questions."
        case "writes_case": "A change of the case or the rule."
        case "unlike_comparison": "A comparison of unlike values."
        case "missed_day": "A day that a missed sweep never sees."
        case "template_field": "A field that templates do not have."
        case "capability": "A capability that is not declared, or not used."
        default: code
        }
    }
}
