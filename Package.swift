// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "moonshelf",
    products: [
        .executable(name: "moonshelf", targets: ["moonshelf"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        // Layer 0: values, syntax, C module maps. Arrows point down only; ArchitectureTests keeps it so.
        .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .target(name: "CTerminal"),
        .target(name: "CMemory"),
        // z3, loaded when it is first needed.
        .target(name: "CSolver"),
        // libyaz, loaded when a MARC record is first met; its header includes that of libxml2.
        .target(name: "CMARC", cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])]),
        // libzip and libxml2, loaded when a spreadsheet is first met.
        .target(name: "CSheets", cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])]),
        // libgd, loaded by the processes that read pictures.
        .target(name: "CPictures"),
        .target(
            name: "CLuaGuard", dependencies: ["CLua"],
            // Also in debug builds: the limits of scripts are limits of time.
            cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "TextFormats", dependencies: [crypto]),
        .target(name: "Threads"),
        .target(name: "Circulation", dependencies: ["TextFormats"]),
        .target(name: "LuaSyntax", dependencies: ["TextFormats"]),
        // Layer 1: the database, the Lua machine, what people read, and what goes out over the network.
        .target(
            name: "Storage", dependencies: ["CMemory", "CPostgres", "Circulation", "TextFormats", "Threads", grdb]),
        .target(name: "LuaRuntime", dependencies: ["CLuaGuard", "Threads"]),
        .target(
            name: "Secrets", dependencies: ["CArgon2", "TextFormats", crypto],
            // In the program itself, as the pages' templates are.
            resources: [.embedInCode("CommonPasswords.txt")]),
        .target(
            name: "Languages", dependencies: ["TextFormats"],
            resources: [
                .embedInCode("Catalogues/ar.po"), .embedInCode("Catalogues/de.po"), .embedInCode("Catalogues/it.po"),
                .embedInCode("Catalogues/moonshelf.pot"),
            ]),
        .target(name: "Outbound", dependencies: ["CCurl", "Circulation", "TextFormats"]),
        .target(name: "LineEditing", dependencies: ["CTerminal", "TextFormats"]),
        .target(name: "MARC", dependencies: ["CMARC", "TextFormats"]),
        .target(name: "Sheets", dependencies: ["CSheets", "Circulation", "TextFormats"]),
        .target(name: "Pictures", dependencies: ["CPictures", "Circulation"]),
        .target(name: "Prover", dependencies: ["CSolver", "Circulation", "LuaSyntax", "TextFormats"]),
        // Layer 2: the services of the desk, and reports.
        .target(
            name: "Desk", dependencies: ["Circulation", "Pictures", "Secrets", "Storage", "TextFormats", "Threads"]),
        .target(name: "Reports", dependencies: ["Circulation", "Languages", "TextFormats"]),
        // Layer 3: what is built on the desk.
        .target(name: "Market", dependencies: ["Circulation", "Desk", "Pictures", "Storage", "TextFormats"]),
        // Layer 4: the Lua API and policies written in Lua.
        .target(
            name: "Scripting",
            dependencies: [
                "Circulation", "Desk", "Languages", "LuaRuntime", "LuaSyntax", "Market", "Secrets", "TextFormats",
            ]),
        // Layer 5: the workbench, data in and out, the schedule.
        .target(
            name: "Workbench",
            dependencies: [
                "Circulation", "Desk", "LuaRuntime", "LuaSyntax", "Market", "Prover", "Reports", "Scripting",
                "TextFormats",
            ]),
        .target(
            name: "Interchange",
            dependencies: [
                "Circulation", "Desk", "Languages", "MARC", "Market", "Pictures", "Sheets", "Storage", "TextFormats",
            ]),
        .target(
            name: "Schedule",
            dependencies: [
                "Circulation", "Desk", "TextFormats", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        // Layer 6: what libraries automate.
        .target(
            name: "Plugins",
            dependencies: [
                "Circulation", "Desk", "Interchange", "LuaRuntime", "LuaSyntax", "MARC", "Market", "Schedule",
                "Scripting", "Secrets", "Storage",
                "TextFormats", "Workbench",
            ]),
        // Layer 7: what a person sits in front of.
        .target(
            name: "Terminal",
            dependencies: [
                "Circulation", "Desk", "LineEditing", "LuaRuntime", "LuaSyntax", "Reports", "Scripting", "TextFormats",
            ]),
        .target(
            name: "Server",
            dependencies: [
                "Circulation", "Desk", "Interchange", "Languages", "LuaRuntime", "LuaSyntax", "Market", "Pictures",
                "Plugins", "Reports", "Scripting", "Secrets", "Storage", "TextFormats", "Threads", "Workbench",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // In the program itself, so that what is installed stays one file.
            resources: [.embedInCode("Pages/Templates")]),
        // Layer 8: the command line, the only place that opens a store or reads the calendar clock.
        .target(
            name: "Commands",
            dependencies: [
                "Circulation", "Desk", "Interchange", "Languages", "LineEditing", "LuaRuntime", "LuaSyntax", "Market",
                "Outbound", "Pictures", "Plugins", "Prover", "Reports", "Schedule", "Scripting", "Secrets", "Server",
                "Storage", "Terminal",
                "TextFormats",
                "Threads", "Workbench", argumentParser, toml,
            ]),
        // Layer 9.
        .executableTarget(
            name: "moonshelf", dependencies: ["Commands"],
            // With Swift's libraries in it, it starts in three quarters of the time. What they need of Foundation is named,
            // since each module was compiled for the dynamic ones.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-static-stdlib", "-use-ld=lld", "-l_FoundationICU", "-l_FoundationCollections",
                        "-l_FoundationCShims", "-lCoreFoundation",
                    ], .when(platforms: [.linux], configuration: .release))
            ]),
        // Beside the layers: what other systems' tests expect, put to this desk. No product; see docs/conformance.md.
        .target(
            name: "ForeignFacts",
            dependencies: ["Circulation", "Desk", "LuaRuntime", "Market", "Scripting", "Storage", "TextFormats"],
            path: "Conformance/Facts"),
        .executableTarget(
            name: "conformance", dependencies: ["ForeignFacts", "TextFormats", argumentParser],
            path: "Conformance/Command"),
        // Beside the layers: speeds, held against the same work from plain C. No product; see docs/decisions/0003.
        .target(
            name: "Floors", dependencies: ["CLua"], path: "Benchmarks/Floors",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CPostgres", "Circulation", "Desk", "Floors", "Interchange", "LuaRuntime", "Market", "Plugins",
                "Reports", "Scripting", "Secrets", "Server", "Storage", "TestSupport", "TextFormats", "Threads",
                "Workbench", argumentParser,
            ],
            path: "Benchmarks/Sources"),
        // Beside the layers: many processes at one store while everything goes wrong. No product.
        .executableTarget(
            name: "torture",
            dependencies: [
                "Circulation", "Desk", "Market", "Scripting", "Storage", "TestSupport", "TextFormats", argumentParser,
            ],
            path: "Torture/Sources"),
        // Beside the layers: proofs, held against the desk in policies that are written at random. No product.
        .target(
            name: "ProofAgreement",
            dependencies: ["Circulation", "LuaSyntax", "Prover", "Scripting", "TextFormats", "Workbench"],
            path: "Torture/Agreement"),
        .executableTarget(
            name: "agreement", dependencies: ["ProofAgreement", argumentParser], path: "Torture/AgreementCommand"),

        .target(
            name: "TestSupport", dependencies: ["CPostgres", "Circulation", "TextFormats"], path: "Tests/Support"),
        .target(name: "DeskSupport", dependencies: ["Circulation", "Desk", "Secrets"], path: "Tests/DeskSupport"),
        .target(
            name: "PostSupport", dependencies: ["TextFormats"], path: "Tests/PostSupport",
            exclude: ["mail.py", "odd.py"]),
        .testTarget(
            name: "OutboundTests", dependencies: ["Outbound", "Circulation", "PostSupport", "TextFormats"]),
        .testTarget(name: "ConformanceTests", dependencies: ["ForeignFacts", "TextFormats", "TestSupport"]),
        .testTarget(name: "CirculationTests", dependencies: ["Circulation", "TextFormats", "TestSupport"]),
        .testTarget(name: "MARCTests", dependencies: ["MARC", "TextFormats", "TestSupport"]),
        .testTarget(name: "SheetsTests", dependencies: ["Sheets", "TestSupport", "TextFormats"]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads", "TestSupport"]),
        .testTarget(name: "TextFormatsTests", dependencies: ["TextFormats", "TestSupport"]),
        .testTarget(
            name: "LuaSyntaxTests", dependencies: ["LuaSyntax", "LuaRuntime", "CLua", "TestSupport"]),
        .testTarget(name: "LuaRuntimeTests", dependencies: ["LuaRuntime", "CLua", "TestSupport"]),
        .testTarget(name: "SecretsTests", dependencies: ["Secrets"]),
        .testTarget(
            name: "StorageTests", dependencies: ["Storage", "Circulation", "TextFormats", "Threads", "TestSupport"]),
        .testTarget(
            name: "DeskTests",
            dependencies: [
                "Desk", "DeskSupport", "Market", "Secrets", "Schedule", "Storage", "Circulation", "TextFormats",
                "TestSupport",
            ], exclude: ["Golden"]),
        .testTarget(
            name: "ScriptingTests",
            dependencies: [
                "Scripting", "Desk", "Languages", "Market", "Pictures", "Storage", "Circulation", "LuaRuntime",
                "LuaSyntax", "Reports", "Secrets",
                "Terminal", "TestSupport", "TextFormats",
            ]),
        .testTarget(
            name: "WorkbenchTests",
            dependencies: [
                "Workbench", "Scripting", "Desk", "Languages", "ProofAgreement", "Prover", "Storage", "Circulation",
                "LuaSyntax",
                "TestSupport", "TextFormats",
            ]),
        .testTarget(
            name: "PluginsTests",
            dependencies: [
                "Plugins", "Circulation", "Desk", "LuaRuntime", "Market", "Schedule", "Scripting", "Storage",
                "TestSupport", "TextFormats", "Workbench",
            ]),
        .testTarget(
            name: "ReportsTests", dependencies: ["Reports", "Circulation", "Languages", "TestSupport", "TextFormats"],
            exclude: ["Golden"]),
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "Interchange", "Desk", "LuaRuntime", "Market", "Plugins", "Scripting", "Secrets", "Storage",
                "Circulation", "TextFormats", "TestSupport",
            ]),
        .testTarget(
            name: "TerminalTests",
            dependencies: [
                "Terminal", "Circulation", "LineEditing", "Reports", "Scripting", "TestSupport", "TextFormats",
            ]),
        .testTarget(name: "LineEditingTests", dependencies: ["LineEditing", "TextFormats"]),
        .testTarget(name: "LanguagesTests", dependencies: ["Languages", "Circulation"]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Server", "Circulation", "Desk", "DeskSupport", "Interchange", "Languages", "LuaRuntime", "LuaSyntax",
                "Market", "Pictures",
                "Plugins", "Scripting", "Secrets", "Storage", "TestSupport", "TextFormats", "Workbench",
            ]),
        .testTarget(name: "ScheduleTests", dependencies: ["Schedule", "Desk", "Circulation", "TestSupport"]),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Commands", "TextFormats", "Circulation", "Languages", "Pictures", "PostSupport", "Schedule", "Server",
                "Storage", "TestSupport",
            ],
            exclude: ["Golden", "browser.py", "keys.py", "lookup.py"]),
        .testTarget(name: "BenchmarksTests", dependencies: ["benchmarks", "Circulation", "Desk", "TestSupport"]),
        .testTarget(name: "TortureTests", dependencies: ["torture", "Storage", "TestSupport"]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures", "Circulation", "TestSupport"]),
        .testTarget(name: "ArchitectureTests"),
    ],
    swiftLanguageModes: [.v6]
)

let upcomingFeatures: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]
// `make` sets it, so that a warning of ours never lands; whoever depends on us is not bothered.
let strictness: [SwiftSetting] =
    Context.environment["MOONSHELF_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

// What checks of exclusive access find, debug builds find; the decision and the checkout are a few percent faster without.
let optimisation: [SwiftSetting] = [
    .unsafeFlags(["-enforce-exclusivity=unchecked", "-cross-module-optimization"], .when(configuration: .release))
]

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures + strictness + optimisation
}
